declare const worker: { fetch(request: Request, env: object): Promise<Response> }
export default worker
