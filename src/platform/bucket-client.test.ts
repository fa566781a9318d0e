// Which failures of a call to a bucket are worth another attempt.
import { expect, test } from 'vitest'
import { attempts, openBucketClient } from './bucket-client.ts'
import { StorageUnavailableError } from './storage.ts'

const failed = (code: string) => Object.assign(new Error(code), { code })
const timedOut = Object.assign(new Error('no response'), { name: 'TimeoutError' })

test.each([
  [new TypeError('a bug'), false],
  [failed('ENOSPC'), false],
  [failed('ECONNRESET'), true],
  [timedOut, true],
])('without a response, %s is repeated: %s', async (fault, isRepeated) => {
  let calls = 0
  const writing = openBucketClient(new URL('s3://bucket')).call('writing 1', async () => {
    calls += 1
    throw fault
  })
  const failure = await writing.catch((error: unknown) => error)
  expect([calls, failure instanceof StorageUnavailableError]).toEqual([isRepeated ? attempts : 1, isRepeated])
})
