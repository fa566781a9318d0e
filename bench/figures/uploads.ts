// A large file on its way in by tus, in pieces as the admin area sends them, against node:http writing the same bytes to disk.
import { mkdtempDisposableSync } from 'node:fs'
import { join } from 'node:path'
import { compare, type Figure } from '../figure.ts'
import { memoryOf, resetPeak, runProgram, signIn, startBaseline, type Shop } from '../processes.ts'

const bytes = 500_000_000

export async function uploads(shop: Shop, rounds: number): Promise<Figure[]> {
  // On the shop's own disk.
  using folder = mkdtempDisposableSync(join(shop.dataDir, 'raw-'))
  await using raw = await startBaseline('sink', join(folder.path, 'file'))
  const token = await signIn(shop)
  const send = async (url: string, isTus: boolean) =>
    (await runProgram<{ perSecond: number }>('send', { url, isTus, token, bytes })).perSecond
  const byTus = () => send(`${shop.url}/api/admin/uploads`, true)
  // What is loaded with the first upload is no growth of the next.
  await byTus()
  const before = memoryOf(shop.pid)
  resetPeak(shop.pid)
  const { ratio, note } = await compare(rounds, byTus, () => send(`${raw.url}/file`, false))
  return [
    {
      name: 'Upload of 500 MB by tus, against node:http writing it to disk',
      bar: { atLeast: 0.5 },
      unit: 'ratio',
      measured: ratio,
      note: `${note} MB/s`,
    },
    {
      name: 'Memory growth while uploading',
      bar: { atMost: 80 },
      unit: 'MB',
      measured: memoryOf(shop.pid, 'VmHWM') - before,
    },
  ]
}
