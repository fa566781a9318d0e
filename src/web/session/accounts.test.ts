import { afterEach, expect, test, vi } from 'vitest'
import { allRefusals, type ProblemCode } from '#contract/refusals.ts'
import { signIn } from './accounts.ts'

afterEach(() => vi.unstubAllGlobals())

/** The message that is shown for a sign-in with this response. */
async function problemOf(response: () => Response) {
  vi.stubGlobal('location', { origin: 'https://shop.example' })
  vi.stubGlobal('fetch', async () => response())
  return (await signIn({ email: 'user@example.com', password: 'secret' })).problem
}

function refuse(code: ProblemCode, name: string): () => Response {
  const headers = { 'x-supabase-api-version': '2024-01-01' }
  const [status, message] = allRefusals[code]
  return () => Response.json({ code: name, message }, { status, headers })
}

test('a refused sign-in is described in the shop’s own words', async () => {
  expect(await problemOf(refuse('auth.invalid_credentials', 'invalid_credentials'))).toBe(
    'Invalid login credentials',
  )
  for (const code of ['auth.request_timeout', 'server.unavailable'] as const)
    expect(await problemOf(refuse(code, 'request_timeout'))).toBe(allRefusals[code][1])
})

test('what a proxy or the browser says of a sign-in is not for users', async () => {
  const html = (status: number, statusText: string) => () =>
    new Response('<h1>nginx</h1>', { status, statusText })
  const responses = [
    html(502, 'Bad Gateway'),
    html(502, ''),
    html(404, 'Not Found'),
    () => Response.json({ error: 'upstream' }, { status: 504 }),
    () => Response.json({ message: 'no route' }, { status: 404 }),
    refuse('server.bug', 'unexpected_failure'),
    () => {
      throw new TypeError('Failed to fetch')
    },
  ]
  for (const response of responses) expect(await problemOf(response)).toBe('An unexpected error occurred.')
})
