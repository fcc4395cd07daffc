interface Network {
  network: { allow: string[]; deny: string[]; tlsOptions: { trustBrowserCas: boolean; trustedCertificates: string[] } }
}
type Bindings = Record<string, Network>
export interface Networks {
  service: { outboundService?: string }
  serviceBindings: Bindings
  workers: { name: string; compatibilityDate: string; modules: true; script: string; serviceBindings: Bindings }[]
}
export function networksFor(environment: 'production' | 'development', compatibilityDate: string): Networks
