import { expect, test } from 'vitest'
import { findShapeFaults } from './check-files.ts'

test('a file says first what it holds, has one header, and opens a client once', () => {
  const good =
    "#!/usr/bin/env node\n// The list.\nimport a from 'a'\n\n// Of a function.\nfunction a() {}\n\nconst api = hc<Api>('/api')\n"
  expect(findShapeFaults(good)).toEqual([])
  expect(findShapeFaults(good.replace('// The list.\n', ''))).toHaveLength(1)
  expect(findShapeFaults(good.replace('// The list.', '// oxlint-disable no-console'))).toHaveLength(1)
  expect(findShapeFaults(good.replace('// Of a function.\n', '// The second half.\n\n'))).toHaveLength(1)
  expect(findShapeFaults(`${good}const other = hc<Api>('/api')\n`)).toHaveLength(1)
  expect(findShapeFaults(`${good}const other = hc<Api>('/api', proof)\n`)).toEqual([])
})
