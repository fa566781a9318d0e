// pg's client, for a DATABASE_URL that names several hosts, and for a connection on which nothing comes any more. It
// connects to the host that accepts writes: node-postgres knows one host only
// (https://github.com/brianc/node-postgres/issues/2781).
import { callbackify } from 'node:util'
import { Client, type ClientConfig } from 'pg'
import { z } from 'zod'

/** Of the question which host accepts writes; a pool waits 5 s for a connection. */
const askingMs = 2_000
/** With the ten probes that Node sends a second apart, a host that vanished is noticed within 15 s. */
const keepAliveMs = 5_000
const connectingMs = 10_000
/** For the other side to close the connection as well. */
const endingMs = 2_000
const pattern = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(\/[^?]*)?(?:\?(.*))?$/
const targets: ReadonlySet<string> = new Set(['read-write', 'primary'])
const readOnlyRows = z.tuple([z.object({ isReadOnly: z.boolean() })])

/** The addresses that `url` names: as many as hosts. Undefined for one that is no address of a database to write to. */
export function splitHosts(url: string): [string, ...string[]] | undefined {
  const [, start, hosts = '', path = '', query] = pattern.exec(url) ?? []
  if (!start) return undefined
  const parameters = new URLSearchParams(query)
  if (!targets.has(parameters.get('target_session_attrs') ?? 'read-write')) return undefined
  parameters.delete('target_session_attrs')
  const rest = parameters.size > 0 ? `${path}?${parameters}` : path
  const [first = '', ...others] = hosts.split(',').map((host) => `${start}${host}${rest}`)
  return [first, ...others].every((each) => URL.canParse(each)) ? [first, ...others] : undefined
}

/**
 * When the shop has vanished, PostgreSQL closes its connection after 30 s where the network shows it, and after ten minutes
 * where a proxy between the two goes on responding. A connection in use needs a query more often than that.
 */
export const sessionSettings = `
  set tcp_keepalives_idle = 15;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  set idle_session_timeout = '10min'`

const lostConnections = new WeakSet<Error>()

export const markLostConnection = (error: Error) => void lostConnections.add(error)

/** Whether `error` itself is that of a connection to the database that broke, or could not be made. */
export const isLostConnection = (error: Error) => lostConnections.has(error)

/**
 * `query_timeout` closes the connection. pg would send the next query on it, for example the rollback, which then waits as
 * long for a response that cannot come.
 */
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

/** The first host that says so; all are asked at the same time, so that one that does not respond delays nothing. */
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
  // A connection that is lost here rejects the query; as an event without a listener it would end the process.
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
