// Rules of the log: one line an event, and no secret in any.
import { existsSync, openSync } from 'node:fs'
import { Writable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { openDatabase } from './db/client.ts'
import { users } from '#tables/accounts.ts'
import { startProcess } from '#test/start-process.ts'
import { createLog } from './log.ts'

function openLog() {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: createLog('info', sink), lines }
}

test('what goes under the name of a secret or of personal data is not written', () => {
  const { log, lines } = openLog()
  const secrets = {
    password: 'hunter2',
    token: 'hunter2',
    refresh_token: 'hunter2',
    authorization: 'hunter2',
  }
  log.info({ email: 'ada@example.com', ...secrets, headers: secrets }, 'hello')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    msg: 'hello',
    email: '[hidden]',
    password: '[hidden]',
    headers: { token: '[hidden]' },
  })
  expect(lines.join('')).not.toMatch(/hunter2|ada@/)
})

test('an email address is not written, wherever in a line it is', () => {
  const { log, lines } = openLog()
  const addresses = [
    'ada@example.com',
    'Ada.Byron+books@mail.example.co.uk',
    'ада@пример.рф',
    'ada@xn--e1afmkfd.xn--p1ai',
  ]
  for (const address of addresses) {
    const err = new Error(`550 5.1.1 <${address}>: no such user`, { cause: new Error(`to ${address}`) })
    log.child({}).warn({ err, reason: `"${address}" is bad` }, `not sent to ${address}`)
  }
  expect(lines).toHaveLength(addresses.length)
  for (const address of addresses) expect(lines.join('')).not.toContain(address)
  expect(lines.join('')).not.toContain('p1ai')
  expect(JSON.parse(lines[0]!)).toMatchObject({
    msg: 'not sent to [email]',
    reason: '"[email]" is bad',
    err: { message: '550 5.1.1 <[email]>: no such user' },
  })
})

test('the id of a checkout, which opens its order, is not written', () => {
  const { log, lines } = openLog()
  const id = 'cs_live_a1B2c3D4e5F6'
  log.warn({ err: new Error(`No such checkout.session: '${id}'`), session_id: id }, `asked for ${id}`)
  expect(lines.join('')).not.toContain(id)
  expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'asked for [checkout]', session_id: '[checkout]' })
})

test('the time to write a line without addresses is not quadratic in its length, also with an @ in it', () => {
  const { log, lines } = openLog()
  const timeOf = (reason: string) => {
    const since = performance.now()
    log.info({ reason }, 'long')
    return performance.now() - since
  }
  const text = 'a'.repeat(1_000_000)
  const plain = timeOf(text)
  // About 15 times as long; thousands of times where it is quadratic.
  expect(timeOf(`${text}@`) / plain).toBeLessThan(500)
  expect(lines).toHaveLength(2)
})

test('a query that failed is written with its cause, but without its values or the connection', async () => {
  const { log, lines } = openLog()
  await using place = await createTestDatabase()
  await using database = openDatabase(place.url)
  const error = await database.db
    .select()
    .from(users)
    .where(eq(users.id, 'hunter2\nis the password'))
    .then(undefined, (error: unknown) => error)
  log.error({ err: error }, 'a request failed')
  const { err } = JSON.parse(lines[0]!)
  expect(err.message).toMatch(/^Failed query: select /)
  expect(err.stack).toMatch(/\n {4}at /)
  expect(err.cause).toMatchObject({ code: '22P02', message: expect.stringContaining('invalid input syntax') })
  const { password } = new URL(place.url)
  expect(lines.join('')).not.toContain(password)
  expect(JSON.stringify(err)).not.toContain('hunter2')
})

test('what is thrown without being an error is written too', () => {
  const { log, lines } = openLog()
  log.error({ err: 'just words' }, 'odd')
  expect(JSON.parse(lines[0]!)).toMatchObject({ err: 'just words' })
})

test.runIf(existsSync('/dev/full'))('a process whose log has no room left goes on', async () => {
  const code = `
    const { createLog } = await import(${JSON.stringify(import.meta.resolve('./log.ts'))})
    const log = createLog('info')
    for (let n = 0; n < 20_000; n += 1) log.info({ text: 'x'.repeat(100) }, 'no room')
    console.error('still here')`
  await using child = startProcess(process.execPath, ['--input-type=module', '-e', code], {
    stdout: openSync('/dev/full', 'w'),
  })
  expect(await child.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('still here') })
})

test('a database that is away is one line, then one a minute with a count; other failures have theirs', () => {
  vi.useFakeTimers()
  try {
    const { log, lines } = openLog()
    const away = () => new Error('Failed query', { cause: new Error('Query read timeout') })
    for (let nth = 0; nth < 5; nth += 1) log.warn({ err: away() }, 'the products could not be read')
    log.warn({ err: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }, 'another server')
    log.error({ err: away() }, 'a backup failed')
    vi.advanceTimersByTime(60_000)
    vi.advanceTimersByTime(60_000)
    const entries = lines.map((line) => JSON.parse(line) as { msg: string; count?: number; reason?: string })
    const message = 'the database is away: so often was it asked in vain since the last such line'
    expect(entries.map(({ msg, count }) => [msg, count])).toEqual([
      [message, 1],
      ['another server', undefined],
      ['a backup failed', undefined],
      [message, 4],
    ])
    expect(entries[0]?.reason).toBe('Query read timeout')
  } finally {
    vi.useRealTimers()
  }
})
