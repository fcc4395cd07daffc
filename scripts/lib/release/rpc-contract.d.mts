/** By group and kind of request: the members that it must carry. */
export type RpcContract = Record<string, Record<string, string[]>>
export function rpcContract(folder: string): RpcContract
