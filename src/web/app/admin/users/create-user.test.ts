// Passwords that the form of a new account makes.
import { expect, test } from 'vitest'
import { generatePassword } from './create-user.tsx'

test('a password has twelve of the allowed characters, all of them as likely', () => {
  const counts = new Map<string, number>()
  for (let round = 0; round < 7_000; round += 1) {
    const password = generatePassword()
    expect(password).toMatch(/^[A-Za-z0-9!@#$%^&*]{12}$/)
    for (const character of password) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  expect(counts.size).toBe(70)
  // 1,200 of each on average; a byte's bias without care would give the first ones a third more.
  for (const count of counts.values()) expect(Math.abs(count - 1200)).toBeLessThan(220)
})
