// The device that a call comes from.
/** As far as the socket and the headers tell; `id_hash` where the browser sends the id that it stores. */
export type Device = { ip: string; network: string; user_agent: string | null; id_hash: Buffer | undefined }
