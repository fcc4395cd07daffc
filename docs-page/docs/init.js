// Shows the contract of the service that this page came from; nothing is loaded from anywhere else.
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#contract',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  persistAuthorization: false,
  // The validator is a service of a third party.
  validatorUrl: null,
})
