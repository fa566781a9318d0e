// Connects to the host of DATABASE_URL that accepts writes: node-postgres knows one host (brianc/node-postgres#2781).
import { errorCode, isNetworkError } from '../errors.ts'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import {
  DatabaseError,
  Pool,
  types as pgTypes,
  type CustomTypesConfig,
  type PoolClient,
  Client,
  type ClientConfig,
} from 'pg'
import { callbackify } from 'node:util'
import { z } from 'zod'
import { splitHosts } from '../../variables.ts'

const askingMs = 2_000
/** Node sends ten probes a second apart, so a host that vanished is noticed within 15 s. */
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
const isLostConnection = (error: Error) => lostConnections.has(error)

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

  /** Ends also where the server does not respond. */
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
    throw new Error(`No host of DATABASE_URL accepts writes: ${reasons}`, { cause: error })
  })
}

async function requireWritable(address: string): Promise<{ host: string; port: number }> {
  const client = new Client({
    connectionString: address,
    application_name: 'lectern host check',
    connectionTimeoutMillis: askingMs,
    query_timeout: askingMs,
  })
  // An error of a connection without a listener would end the process.
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

export type Db = NodePgDatabase
export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0]
export type Database = AsyncDisposable & { url: string; db: Db; pool: Pool; close(): Promise<void> }

/** More than the purchases of a launch that come at one moment; each waits for at most `connectMs`. */
const maxWaiting = 512

type Bounds = { max?: number; connectMs?: number; statementMs?: number }

/** PgBouncer refuses these as parameters of the connection. Parallel workers cost short queries more than they save. */
const settings = `${sessionSettings};
  set idle_in_transaction_session_timeout = '15s';
  set max_parallel_workers_per_gather = 0;
  set random_page_cost = 1.1`

export function openDatabase(
  url: string,
  { max = 16, connectMs = 5_000, statementMs = 15_000 }: Bounds = {},
): Database {
  const prepare = {
    text: `${settings}; set statement_timeout = ${statementMs}`,
    query_timeout: connectMs,
  }
  const pool = new BoundedPool({
    connectionString: url,
    Client: NumbersClient,
    types: withNumbers(pgTypes),
    application_name: 'lectern',
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types do not say so
    onConnect: (client) => client.query(prepare),
    max,
    connectionTimeoutMillis: connectMs,
    // Shorter than a query's timeout, so that queries which gave up on silent connections do not get silent idle ones next.
    idleTimeoutMillis: statementMs,
    query_timeout: (statementMs * 4) / 3,
  })
  // An error of a connection without a listener would end the process; the next query gets it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const close = () => pool.end()
  return { url, db: openDrizzle(pool), pool, close, [Symbol.asyncDispose]: close }
}

/** Drizzle's own transaction never releases a connection that breaks as it begins; one that may be broken is closed here. */
function openDrizzle(pool: Pool): Db {
  const db: Db = drizzle(pool)
  const cached = new WeakMap<PoolClient, Db>()
  db.transaction = async (work, config) => {
    const client = await pool.connect()
    let isBroken = false
    try {
      const own = cached.get(client) ?? drizzle(client)
      cached.set(client, own)
      return await own.transaction(work, config)
    } catch (error) {
      isBroken = isUnavailable(error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }
  return db
}

class BoundedPool extends Pool {
  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads, passed through
  override connect(callback?: any): any {
    if (this.waitingCount < maxWaiting) return super.connect(callback)
    const error = new Error('Too many requests wait for the database')
    if (!callback) return Promise.reject(error)
    process.nextTick(callback, error, undefined, () => undefined)
    return undefined
  }
}

class NumbersClient extends WritableClient {
  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads, passed through
  override query(config: any, ...rest: any[]): any {
    if (hasCents(config?.values ?? rest[0])) return refuse(centsRefused, rest.at(-1))
    const own = config?.types ? { ...config, types: withNumbers(config.types) } : config
    return super.query(own, ...rest)
  }
}

const centsRefused = 'A parameter in cents, where SQL has decimals'

/** They would be a hundred times the amount: a column of money, or `sql.param` with one, writes them as a decimal. */
function hasCents(values: unknown): boolean {
  return Array.isArray(values) && values.some((value) => typeof value === 'bigint')
}

/** Never by a throw: after one, the pool would release the connection again once it breaks, and end the process. */
function refuse(message: string, callback: unknown): Promise<never> | undefined {
  const error = new TypeError(message)
  if (typeof callback !== 'function') return Promise.reject(error)
  process.nextTick(callback, error)
  return undefined
}

function withNumbers(types: CustomTypesConfig): CustomTypesConfig {
  const { NUMERIC, INT8 } = pgTypes.builtins
  return {
    getTypeParser: (oid, format) =>
      oid === NUMERIC || oid === INT8 ? Number : types.getTypeParser(oid, format),
  }
}

const CONNECTION_FAILED = '08000 08001 08003 08004 08006'
const LOCKED = '55P03'
const QUERY_CANCELED = '57014'
const UNAVAILABLE = '25006 57P01 57P02 57P03 57P05 53200 53300'
const OUTAGE_CODES = new Set([...CONNECTION_FAILED.split(' '), ...UNAVAILABLE.split(' ')])
const AWAY_CODES = new Set([...OUTAGE_CODES, QUERY_CANCELED, LOCKED])
const AWAY_MESSAGE =
  /^(Too many requests wait|Connection terminated|No host of DATABASE_URL|timeout expired|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after|Client (has encountered a connection error|was closed) and is not queryable)/

export function isDuplicate(error: unknown, index: string): boolean {
  if (!(error instanceof Error)) return false
  const isRefused = error instanceof DatabaseError && error.code === '23505' && error.constraint === index
  return isRefused || isDuplicate(error.cause, index)
}

export function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error instanceof DatabaseError && error.code === LOCKED) || isLocked(error.cause)
}

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof SuppressedError) return isUnavailable(error.suppressed)
  const code = errorCode(error)
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true
  if (AWAY_CODES.has(code ?? '') || isNetworkError(error)) return true
  return AWAY_MESSAGE.test(error.message) || isUnavailable(error.cause)
}

const INVALID_AUTHORIZATION = '28000 28P01'
const UNKNOWN_DATABASE = '3D000'
const UNKNOWN_HOST = 'ENOTFOUND'
const MISCONFIGURED_CODES = new Set([...INVALID_AUTHORIZATION.split(' '), UNKNOWN_DATABASE, UNKNOWN_HOST])

/** The password, the database's name or the host's is wrong, at each host of DATABASE_URL: waiting is of no use. */
export function isMisconfigured(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof SuppressedError) return isMisconfigured(error.suppressed)
  if (error instanceof AggregateError) return error.errors.every(isMisconfigured)
  return MISCONFIGURED_CODES.has(errorCode(error) ?? '') || isMisconfigured(error.cause)
}

/** The database is away as a whole: neither another server's failure nor one slow query. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof SuppressedError) return isOutage(error.suppressed)
  const isOwn =
    error instanceof DatabaseError
      ? OUTAGE_CODES.has(error.code ?? '')
      : isLostConnection(error) || AWAY_MESSAGE.test(error.message)
  return isOwn || isOutage(error.cause)
}
