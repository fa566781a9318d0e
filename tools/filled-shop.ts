// A filled shop of the version that was built, as one file: the folder of its backups. Each later version has to restore it
// and to bring it to its own schema.
import { execFileSync } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './run.ts'

export function writeFilledShop(file: string): void {
  using data = mkdtempDisposableSync(join(tmpdir(), 'lectern-filled-'))
  for (const command of ['demo --users 100 --purchases 400', 'backup'])
    execFileSync(process.execPath, [join(root, 'dist/server/lectern.js'), ...command.split(' ')], {
      cwd: data.path,
      env: { PATH: process.env['PATH'], DATA_DIR: data.path },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  execFileSync('tar', ['-cf', file, '-C', join(data.path, 'backups'), '.'])
}
