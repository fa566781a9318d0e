// A passkey's authenticator: what a browser would send for its user, made by node:crypto.
import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { z } from 'zod'

const flags = { present: 0x01, verified: 0x04, hasCredential: 0x40 }

type Options = { challenge: string; rpId: string; userId?: string }
/** What differs from a browser that is the shop's own. */
export type Faults = { origin?: string; rpId?: string; isVerified?: boolean; type?: string; counter?: number }

export type Authenticator = ReturnType<typeof makeAuthenticator>

export function makeAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let counter = 0
  let userHandle: string | undefined

  function clientData(type: string, challenge: string, faults: Faults) {
    return Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge,
        origin: faults.origin ?? origin,
        crossOrigin: false,
      }),
    )
  }

  function authData(rpId: string, isNew: boolean, faults: Faults): Buffer {
    const user = flags.present | (faults.isVerified === false ? 0 : flags.verified)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(faults.counter ?? ++counter)
    const head = [
      createHash('sha256')
        .update(faults.rpId ?? rpId)
        .digest(),
    ]
    const length = Buffer.from([0, credentialId.length])
    return isNew
      ? Buffer.concat([
          ...head,
          Buffer.from([user | flags.hasCredential]),
          count,
          Buffer.alloc(16),
          length,
          credentialId,
          coseKey(publicKey),
        ])
      : Buffer.concat([...head, Buffer.from([user]), count])
  }

  return {
    id,
    create({ challenge, rpId, userId }: Options, faults: Faults = {}) {
      userHandle = userId
      const attestationObject = encodeMap([
        [encodeText('fmt'), encodeText('none')],
        [encodeText('attStmt'), encodeMap([])],
        [encodeText('authData'), encodeBytes(authData(rpId, true, faults))],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        authenticatorAttachment: 'platform' as const,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, faults).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal' as const],
        },
      }
    },
    get({ challenge, rpId }: Options, faults: Faults = {}) {
      const data = authData(rpId, false, faults)
      const client = clientData('webauthn.get', challenge, faults)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
          userHandle,
        },
      }
    },
  }
}

const jwk = z.object({ x: z.string(), y: z.string() })

function coseKey(key: KeyObject): Buffer {
  const { x, y } = jwk.parse(key.export({ format: 'jwk' }))
  const negative = (n: number) => Buffer.from([0x20 + n - 1])
  return encodeMap([
    [Buffer.from([1]), Buffer.from([2])],
    [Buffer.from([3]), negative(7)],
    [negative(1), Buffer.from([1])],
    [negative(2), encodeBytes(Buffer.from(x, 'base64url'))],
    [negative(3), encodeBytes(Buffer.from(y, 'base64url'))],
  ])
}

// CBOR, RFC 8949: short maps and texts, and byte strings from 24 bytes to 64 kB, each in its shortest form.
function encodeMap(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat()])
}

function encodeText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

function encodeBytes(content: Buffer): Buffer {
  const size = content.length
  const head = Buffer.from(size < 256 ? [0x58, size] : [0x59, size >> 8, size & 0xff])
  return Buffer.concat([head, content])
}
