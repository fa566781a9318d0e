// Calls a bucket, again where another attempt may succeed.
import { PrivateHostError, PublicAgent } from './public-connection.ts'
import { bucketPorts } from '#contract/network.ts'
import { failureReason, isNetworkError } from './errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readBucketSettings } from '../variables.ts'
import { once } from './cached.ts'
import { StorageUnavailableError } from './storage.ts'

export const attempts = 5
/** The pause before the second attempt, doubled before each later one. */
const firstPauseMs = 100

const silent = () => undefined
/** The client reports what it does not retry itself, on the console and in lines of its own. */
const noLog = { debug: silent, info: silent, warn: silent, error: silent }

export type BucketClient = ReturnType<typeof openBucketClient>

/** The client takes its keys from the environment without it. */
export type BucketAccess = {
  credentials: { accessKeyId: string; secretAccessKey: string }
  isPublicOnly: boolean
}

export function openBucketClient(url: URL, access?: BucketAccess) {
  const { region, endpoint, timeout } = readBucketSettings(url)
  const timeoutMs = timeout * 1000
  const connect = once(async () => {
    if (access?.isPublicOnly && endpoint && !endpoint.startsWith('https:')) throw new PrivateHostError()
    const { s3 } = await import('./s3-client.ts')
    // A download to a slow user occupies its connection throughout: no fixed number of them is enough.
    const agent = { maxSockets: Infinity }
    const httpsAgent = access?.isPublicOnly ? new PublicAgent({ ports: bucketPorts, timeoutMs }) : agent
    const client = new s3.S3Client({
      region,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(access && { credentials: access.credentials }),
      maxAttempts: 1,
      logger: noLog,
      requestHandler: {
        connectionTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        httpAgent: agent,
        httpsAgent,
      },
      // Servers before 2025 refuse what the client would add by itself. Files carry an MD5, which all of them check.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
    return { client, ...s3 }
  })

  type Sdk = Awaited<ReturnType<typeof connect>>

  return {
    name: url.hostname,
    /** Throws a StorageUnavailableError after the last attempt. `signal` ends the pauses between attempts. */
    async call<Result>(
      what: string,
      send: (sdk: Sdk) => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<Result> {
      const sdk = await connect()
      for (let pauseMs = firstPauseMs, left = attempts - 1; ; pauseMs *= 2, left -= 1) {
        try {
          return await send(sdk)
        } catch (cause) {
          const failure = `${what} in the bucket ${url.hostname} failed: ${reasonOf(cause)}`
          if (!isPassing(cause)) throw new Error(failure, { cause })
          if (left === 0) throw new StorageUnavailableError(failure, { cause })
          await sleep(pauseMs, undefined, { ...(signal && { signal }) })
        }
      }
    },
  }
}

/** Refusals with a status of 4xx that another attempt may not meet: the body was damaged or late on its way. */
const passingNames = new Set([
  'BadDigest',
  'IncompleteBody',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'XAmzContentSHA256Mismatch',
])

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = httpStatus(error)
  if (status === undefined) return isNetworkError(error) || error.name === 'TimeoutError'
  return status >= 500 ? status !== 501 : status === 408 || status === 429 || passingNames.has(error.name)
}

const response = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) })

export function httpStatus(error: unknown): number | undefined {
  return response.safeParse(error).data?.$metadata.httpStatusCode
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'CredentialsProviderError')
    return 'there are no credentials for it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  const status = httpStatus(error)
  const reason = failureReason(error)
  return status === undefined ? reason : `status ${status}, ${reason}`
}
