// Links are asked for on the internet alone; none of these tests leaves the machine.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { findLinkFault } from './draft-links.ts'

test.each([
  'http://127.0.0.1/',
  'http://10.1.2.3:8080/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fd00::1]/',
  'http://2130706433/',
])('%s is not asked', async (href) => {
  expect(await findLinkFault(href)).toBe('leads into a network of its own')
})

test('a name without an address is reported as not reached', async () => {
  expect(await findLinkFault('http://no-such-name.invalid/')).toBe('could not be reached')
})

test('a server of this machine gets no request, whatever its name', async () => {
  const server = createServer(() => expect.unreachable())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  expect(await findLinkFault(`http://localhost:${port}/`)).toBeDefined()
  server.close()
})
