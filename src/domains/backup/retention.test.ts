// The backup just written stays, also where others are newer by a clock that was ahead.
import { expect, test } from 'vitest'
import { chooseRetained, localRetention, remoteRetention } from './retention.ts'

test('the backup just written stays, also among those of a clock that was ahead', () => {
  const written = '2026-11-22T03-00-00-000Z'
  const ahead = Array.from({ length: 20 }, (_, nth) => `${2027 + nth}-01-01T03-00-00-000Z`)
  for (const retention of [localRetention, remoteRetention]) {
    expect(chooseRetained([...ahead, written], retention, written)).toContain(written)
    expect(chooseRetained([...ahead, written], retention)).not.toContain(written)
  }
})
