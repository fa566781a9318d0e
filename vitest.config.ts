import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { clearEnvironment } from '#test/environment.ts'
import { s3Environment } from '#test/s3.ts'

// Here, so that it holds however Vitest is started: its workers inherit what this process has.
clearEnvironment()
// The tests start many processes of the same sources.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'dist/compiled')

/** What the tests of a subject prove again by force: by processes that are started and killed, and by attacks without end. */
const rest = [
  'test/processes/**/*.test.ts',
  'packages/postgres/**/*.test.ts',
  'tools/**/*.test.ts',
  // Requests, callers, ids and texts of every kind, against every operation.
  'test/{fuzz,permissions,proofs,unknown-ids,hostile-text,call-limits,letters-attacks}.test.ts',
  // Files and backups that are broken in every way, and what works on them alone.
  'src/domains/files/{hostile-books,mutated-files}.test.ts',
  'src/domains/backup/{backup-stores,damaged-backups}.test.ts',
  'src/platform/{bounded-worker,bucket-faults}.test.ts',
  // A crowd, a book of long lists, and a server whose database is taken away.
  'src/domains/payments/audience.test.ts',
  'src/pages/book-work.test.ts',
  'src/start-shop.test.ts',
]

/** Files are begun in the order of their size, and these are short, but take long: at the end, cores would be idle beside them. */
const isBegunFirst = /\/(test\/processes|packages\/postgres|tools)\//

class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's, which gives a new array
    const sorted = await super.sort(files)
    const isFirst = ({ moduleId }: TestSpecification) => isBegunFirst.test(moduleId)
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))]
  }
}

export default defineConfig({
  envDir: false,
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'commit',
          include: ['{src,packages,test,content}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...rest],
        },
      },
      { extends: true, test: { name: 'rest', include: rest } },
    ],
    env: s3Environment,
    globalSetup: './test/global-setup.ts',
    setupFiles: './test/each-test.ts',
    // Shared build machines stall for seconds at times; what fails twice is broken.
    retry: process.env['CI'] ? 1 : 0,
    // Tests wait for conditions; the limits are for what never comes, on one core beside a busy neighbour too.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than cores: a test waits for half of its time.
    maxWorkers: 3,
    sequence: { sequencer: ProcessesFirst },
    // Files share the modules of their worker. What belongs to a shop lives in its services, never in a module.
    isolate: false,
  },
})
