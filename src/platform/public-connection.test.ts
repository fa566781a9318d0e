// Rules of connections to servers that a screen names.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createSecureContext } from 'node:tls'
import { callbackify } from 'node:util'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { connectToPublic, isPublicAddress } from './public-connection.ts'

const refused = 'The shop did not connect: the server is not on the internet.'
const isHere = (address: string) => address === '127.0.0.1'
const leadsTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

async function openListener() {
  const server = createServer((socket) => socket.end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  let connections = 0
  server.on('connection', () => (connections += 1))
  return { port, count: () => connections, [Symbol.dispose]: () => void server.close() }
}

test('a name is looked up once: what it leads to the next time is not connected to', async () => {
  using listener = await openListener()
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const find = async () => leadsTo(...(answers.shift() ?? []))()
  const target = { host: 'mail.example', port: listener.port, timeoutMs: 5_000 }
  const socket = await connectToPublic(target, { find, isAllowed: isHere })
  expect([socket.remoteAddress, answers.length]).toEqual(['127.0.0.1', 1])
  socket.destroy()
  await expect(connectToPublic(target, { find, isAllowed: isHere })).rejects.toThrow(refused)
})

test('what leads inside is refused without a connection, also among addresses of the internet', async () => {
  using listener = await openListener()
  const { port } = listener
  for (const host of [
    'localhost',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0',
    '::1',
    '::ffff:127.0.0.1',
  ])
    await expect(connectToPublic({ host, port, timeoutMs: 5_000 }), host).rejects.toThrow(refused)
  for (const addresses of [['9.9.9.9', '127.0.0.1'], ['127.0.0.1', '9.9.9.9'], ['2620:fe::fe', '::1'], []]) {
    const find = leadsTo(...addresses)
    const connecting = connectToPublic({ host: 'mail.example', port, timeoutMs: 5_000 }, { find })
    await expect(connecting).rejects.toThrow(refused)
  }
  expect(listener.count()).toBe(0)
})

test('a name that is not looked up in time is given up', async () => {
  const find = () => new Promise<never>(() => undefined)
  const connecting = connectToPublic({ host: 'mail.example', port: 587, timeoutMs: 20 }, { find })
  await expect(connecting).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})

test.each([true, false])(
  'the certificate has to be of the name, not of the address (TLS from the first byte: %s)',
  async (secure) => {
    const names: string[] = []
    const server = new SMTPServer({
      secure,
      authOptional: true,
      SNICallback(name, done) {
        names.push(name)
        done(null, createSecureContext())
      },
    })
    server.on('error', () => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as AddressInfo
    const target = { host: 'mail.example', port, timeoutMs: 5_000 }
    const open = callbackify(async () => ({
      connection: await connectToPublic(target, { find: leadsTo('127.0.0.1'), isAllowed: isHere }),
    }))
    const transport = createTransport({
      ...target,
      secure,
      requireTLS: !secure,
      getSocket: (_options, done) => open(done),
    })
    await expect(transport.verify()).rejects.toThrow()
    expect(names).toEqual([target.host])
    await new Promise<void>((resolve) => server.close(resolve))
  },
)

// Which addresses are of the internet.

test('addresses of this machine, of a network behind it and of clouds are not public, however they are written', () => {
  const inside =
    '127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 100.127.255.254 168.63.129.16 192.0.0.192 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:a00:1 ::127.0.0.1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1::1 2001:0:1::1 2001:db8::1 fd00:ec2::254 localhost 0x7f.1 017700000001 2130706433'
  for (const address of inside.split(' '))
    expect([address, isPublicAddress(address)]).toEqual([address, false])
  const outside =
    '8.8.8.8 1.1.1.1 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 169.253.0.1 2606:4700:4700::1111 2a00:1450::1'
  for (const address of outside.split(' '))
    expect([address, isPublicAddress(address)]).toEqual([address, true])
})
