// Sends what is hardly a request and looks at how it is refused.
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { problemDocument } from '#contract/problems.ts'
import { allRefusals, type ProblemCode } from '#contract/refusals.ts'
import { contentType, headerText, hostileBody, pathSegment, tamperedCursors } from './hostile.ts'

export type Operation = {
  method: string
  /** What stands in braces is filled in: with what is known under that name, or with anything. */
  path: string
  headers?: string[]
  body?: Arbitrary<object>
  known?: Record<string, string>
}

type Request = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}
type FuzzResponse = { status: number; headers: Record<string, string | string[] | undefined>; words: string }

export type Fuzzer = Disposable & {
  /** Without fetch, which mends what is to arrive broken. */
  send(request: Request): Promise<FuzzResponse>
  /** Fails, with the smallest request that does it, when a response is no response or no refusal a client can read. */
  survives(operation: Operation): Promise<void>
  /** Each text of the operation becomes, by itself, what PostgreSQL cannot hold, and its cursor what no page has given. */
  survivesUnstorable(operation: Operation): Promise<void>
}

export function openFuzzer(
  url: string,
  tokens: string[],
  { seed, numRuns }: { seed: number; numRuns: number },
): Fuzzer {
  const { host } = new URL(url)
  const agent = new Agent({ keepAlive: true })
  const token = fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom(...tokens) },
    { weight: 1, arbitrary: headerText },
    { weight: 1, arbitrary: fc.constantFrom(undefined, ...tokens.map((each) => each.slice(0, -9))) },
  )

  function send({ method, path, headers, body }: Request): Promise<FuzzResponse> {
    return new Promise((resolve, reject) => {
      const sent = request(
        new URL(url),
        { method, path, headers: { host, ...lengthOf(method, body), ...headers }, agent },
        (response) => {
          const { statusCode: status = 0, headers } = response
          text(response).then((words) => resolve({ status, headers, words }), reject)
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }

  return {
    send,
    async survives(operation) {
      const property = fc.asyncProperty(requestFor(operation, token), async (sent) => {
        expectReadable(sent.path, await send(sent))
      })
      await fc.assert(property, { seed, numRuns, interruptAfterTimeLimit: 15_000 })
    },
    async survivesUnstorable(operation) {
      for (const sent of unstorable(operation, tokens.at(-1)!)) expectReadable(sent.path, await send(sent))
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

/** Node's client leaves it out of a DELETE, whose body then reads as the next request. */
function lengthOf(method: string, body: Request['body']): Record<string, string> {
  if (method !== 'DELETE' || body === undefined) return {}
  return { 'content-length': String(Buffer.byteLength(body)) }
}

const unstorableTexts = ['a\0b', '\0', 'a\ud800', '\udc00b']

function unstorable({ method, path, body, known = {} }: Operation, token: string): Request[] {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const [sample] = body ? fc.sample(body, { seed: 1, numRuns: 1 }) : []
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  const asked = (changed?: string, value = '') =>
    path
      .replaceAll(/[?&]\w+=\{(\w+)\}/g, (all, name: string) => (name === changed ? all : ''))
      .replace(/^([^?&]*)&/, '$1?')
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === changed ? value : (known[name] ?? 'x')))
  const inPath = names.flatMap((name) =>
    (name === 'after' ? tamperedCursors : ['a%00b', '%00', '%ed%a0%80']).map((value) => ({
      method,
      path: asked(name, value),
      headers,
      body: sample && JSON.stringify(sample),
    })),
  )
  const inBody = textsOf(sample).flatMap((change) =>
    unstorableTexts.map((text) => ({ method, path: asked(), headers, body: JSON.stringify(change(text)) })),
  )
  return [...inPath, ...inBody]
}

/** For each text in a body, however deep, the body with another one in its place. */
function textsOf(body: unknown): ((text: string) => unknown)[] {
  if (typeof body === 'string') return [(text) => text]
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) =>
    textsOf(value).map(
      (change) => (text: string) =>
        Array.isArray(body) ? body.with(Number(name), change(text)) : { ...body, [name]: change(text) },
    ),
  )
}

function requestFor(
  { method, path, headers = [], body, known = {} }: Operation,
  token: Arbitrary<string | undefined>,
): Arbitrary<Request> {
  const parts = path.split(/\{(\w+)\}/).map((part, at) => {
    if (at % 2 === 0) return fc.constant(part)
    return part in known ? fc.oneof(fc.constant(known[part]!), pathSegment) : pathSegment
  })
  const parameters = {
    path: fc.tuple(...parts).map((filled) => filled.join('')),
    query: fc.option(fc.tuple(pathSegment, pathSegment), { freq: 8 }),
    token,
    type: contentType,
    named: fc.tuple(...headers.map((name) => fc.tuple(fc.constant(name), headerText))),
    body: body ? hostileBody(body) : fc.constant(undefined),
  }
  return fc.record(parameters).map(({ path, query, token, type, named, body }) => {
    const headers = Object.fromEntries(named.filter(([, value]) => value !== ''))
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    if (body !== undefined && type !== undefined) headers['content-type'] = type
    const asked = query ? `${path}${path.includes('?') ? '&' : '?'}${query.join('=')}` : path
    return { method, path: asked, headers, body }
  })
}

function expectReadable(path: string, { status, headers, words }: FuzzResponse): void {
  if (status >= 500) throw new Error(`${status}: ${words}`)
  expect(headers['x-injected']).toBeUndefined()
  // Of a range that cannot be had, RFC 9110 asks for the size only; a HEAD has no words.
  if (status < 400 || status === 416 || words === '') return
  const document: unknown = JSON.parse(words)
  const isProblem = headers['content-type'] === 'application/problem+json'
  const any = expect.any(String)
  // An address that is too long is refused before anything looks whose it is.
  if (path.startsWith('/auth/') && status !== 414) {
    expect(document).toMatchObject({ code: any, message: any })
  } else if (path.startsWith('/functions/') && !isProblem) {
    expect(document).toMatchObject({ success: false, error: any })
  } else {
    expect(isProblem).toBe(true)
    const { code, status: actual } = problemDocument.parse(document)
    expect(Object.keys(allRefusals)).toContain(code)
    expect([actual, allRefusals[code as ProblemCode][0]]).toEqual([status, status])
    expect(headers['cache-control']).toBe('no-store')
  }
}
