// A call of the API under test.
type CallOptions = { body?: unknown; headers?: Record<string, string>; token?: string }

export type Call = (method: string, path: string, options?: CallOptions) => Promise<Response>
