// Connects to the host of DATABASE_URL that accepts writes: node-postgres knows one host (brianc/node-postgres#2781).
import { callbackify } from 'node:util'
import { Client, type ClientConfig } from 'pg'
import { z } from 'zod'
import { splitHosts } from '../../variables.ts'

const askingMs = 2_000
/** With the ten probes that Node sends a second apart, a host that vanished is noticed within 15 s. */
const keepAliveMs = 5_000
const connectingMs = 10_000
const endingMs = 2_000
const readOnlyRows = z.tuple([z.object({ isReadOnly: z.boolean() })])

/** PostgreSQL closes a vanished shop's connection after 30 s, or behind a proxy that goes on responding after ten minutes. */
export const sessionSettings = `
  set tcp_keepalives_idle = 15;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  set idle_session_timeout = '10min'`

const lostConnections = new WeakSet<Error>()

export const markLostConnection = (error: Error) => void lostConnections.add(error)

/** A connection to the database broke, or could not be made; `cause` is not looked at. */
export const isLostConnection = (error: Error) => lostConnections.has(error)

/** `query_timeout` closes the connection: pg would send the rollback on it and wait as long again. */
export class WritableClient extends Client {
  readonly #addresses: [string, ...string[]]

  constructor(config: ClientConfig = {}) {
    const addresses = splitHosts(config.connectionString ?? '')
    if (!addresses) throw new Error('DATABASE_URL is not the address of a database.')
    super({
      connectionTimeoutMillis: connectingMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      ...config,
      connectionString: addresses[0],
    })
    this.#addresses = addresses
    // pg gives the same error to the queries that it fails.
    // Also the listener without which an error would end the process.
    this.on('error', markLostConnection)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads, passed through
  override connect(callback?: any): any {
    const connected = this.#connectToWritable().catch((error: unknown) => {
      if (error instanceof Error) markLostConnection(error)
      throw error
    })
    return callback ? callbackify(() => connected)(callback) : connected
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads, passed through
  override query(config: any, ...rest: any[]): any {
    const result = super.query(config, ...rest)
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') this.connection.stream.destroy()
      })
    }
    return result
  }

  /** Also where the server does not respond. */
  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads, passed through
  override end(callback?: any): any {
    const timer = setTimeout(() => this.connection.stream.destroy(), endingMs)
    this.connection.once('end', () => clearTimeout(timer))
    timer.unref()
    return super.end(callback)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }

  async #connectToWritable(): Promise<void> {
    if (this.#addresses.length > 1) await this.#takeWritable()
    await super.connect()
  }

  async #takeWritable(): Promise<void> {
    const { host, port } = await findWritable(this.#addresses)
    this.host = host
    this.port = port
  }
}

export async function openClient(
  connectionString: string,
  application_name = 'lectern',
  config: ClientConfig = {},
): Promise<WritableClient> {
  const client = new WritableClient({ connectionString, application_name, ...config })
  await client.connect()
  return client
}

/** All are asked at once, so one that does not respond delays nothing. */
async function findWritable(addresses: readonly string[]): Promise<{ host: string; port: number }> {
  return Promise.any(addresses.map(requireWritable)).catch((error: unknown) => {
    const reasons = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error)
    throw new Error(`No host of DATABASE_URL accepts writes: ${reasons}`)
  })
}

async function requireWritable(address: string): Promise<{ host: string; port: number }> {
  const client = new Client({
    connectionString: address,
    application_name: 'lectern host check',
    connectionTimeoutMillis: askingMs,
    query_timeout: askingMs,
  })
  // Without a listener, an error of a connection would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
    )
    const [{ isReadOnly }] = readOnlyRows.parse(rows)
    if (isReadOnly) throw new Error(`${client.host}:${client.port} is read-only`)
    return { host: client.host, port: client.port }
  } finally {
    client.end().catch(() => {})
  }
}
