// Which releases may start on migrated data, by the comments of the migration.
import { expect, test } from 'vitest'
import { anyRelease, isOlderRelease, raiseOldestRelease } from './oldest-release.ts'

test('releases are compared by their three numbers', () => {
  for (const [release, than] of [
    ['0.3.0', '0.4.0'],
    ['0.9.9', '0.10.0'],
    ['0.4', '0.4.1'],
    ['0', '0.0.1'],
    ['0.4.0', '1'],
  ] as const) {
    expect([release, than, isOlderRelease(release, than)]).toEqual([release, than, true])
    expect([than, release, isOlderRelease(than, release)]).toEqual([than, release, false])
  }
  expect(isOlderRelease('0.4.0', '0.4.0')).toBe(false)
  expect(isOlderRelease('0.4.0-rc.1', '0.4.0')).toBe(false)
})

test('only a statement that takes something away raises the oldest release, and none lowers it', () => {
  expect(raiseOldestRelease(anyRelease, ['alter table a add column b text'])).toBe(anyRelease)
  const drops = [
    '-- contract: unused since 0.9.0\nalter table a drop column b',
    '-- contract: unused since 0.10.0\ndrop table c',
    'create table d (id uuid)',
  ]
  expect(raiseOldestRelease(anyRelease, drops)).toBe('0.10.0')
  expect(raiseOldestRelease('0.12.0', drops)).toBe('0.12.0')
})
