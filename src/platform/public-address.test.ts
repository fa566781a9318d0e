// Which addresses are of the internet.
import { expect, test } from 'vitest'
import { isPublicAddress } from './public-connection.ts'

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
