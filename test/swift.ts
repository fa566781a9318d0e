// OpenStack Swift's S3 API, where Debian's python3-swift is installed: a server that others run for real, which checks
// signatures, lengths and checksums.
import { existsSync } from 'node:fs'
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { canInstallPackages, installPackages } from './debian-packages.ts'
import { memoryFolder } from './memory-folder.ts'
import { bucketUrl, credentials, region } from './s3.ts'
import { startProcess, untilPrinted } from './start-process.ts'

const packageName = 'python3-swift'

export function hasSwift(): boolean {
  return existsSync('/usr/lib/python3/dist-packages/swift/common/middleware/s3api')
}

/** A build machine gets it where it can; elsewhere what is left out is printed. */
export function prepareSwift(): void {
  if (hasSwift()) return
  if (process.env['CI'] && canInstallPackages()) {
    try {
      return installPackages(packageName)
    } catch {
      // apt-get has printed the reason.
    }
  }
  console.log(`Left out: tests of S3 against OpenStack Swift (apt-get install ${packageName}).`)
}

export type Swift = AsyncDisposable & {
  endpoint: string
  /** A new bucket, as STORAGE_URL names it. */
  createBucket(name: string): Promise<string>
}

export async function startSwift(): Promise<Swift> {
  await using undo = new AsyncDisposableStack()
  const folder = undo.use(await mkdtempDisposable(join(memoryFolder(), 'lectern-swift-')))
  await mkdir(join(folder.path, 'disk'))
  const { accessKeyId, secretAccessKey } = credentials
  const script = join(import.meta.dirname, 'swift-server.py')
  const words = [script, folder.path, region, accessKeyId, secretAccessKey]
  const server = undo.use(startProcess('/usr/bin/python3', words))
  const endpoint = await untilPrinted(server)
  const client = new S3Client({ region, endpoint, credentials, forcePathStyle: true })
  undo.defer(() => client.destroy())
  const stack = undo.move()
  return {
    endpoint,
    async createBucket(name) {
      await client.send(new CreateBucketCommand({ Bucket: name }))
      return bucketUrl(name, endpoint)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
