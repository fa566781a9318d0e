import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPlace, type Box } from './toasts.tsx'

const phone = { width: 390, height: 844 }
const size = { width: 358, height: 90 }

function isOver(place: { left: number; top: number }, { left, top, right, bottom }: Box): boolean {
  return (
    left < place.left + size.width &&
    right > place.left &&
    top < place.top + size.height &&
    bottom > place.top
  )
}

test('where nothing is to be pressed, toasts stand in the lower right corner', () => {
  expect(findPlace({ width: 1360, height: 900 }, size, [])).toEqual({ left: 986, top: 794 })
})

test('they stand above a button at the bottom, and at the left of a full right side', () => {
  const button = { left: 40, top: 730, right: 350, bottom: 790 }
  expect(findPlace(phone, size, [button])).toEqual({ left: 16, top: 632 })
  const column = { left: 1000, top: 0, right: 1300, bottom: 900 }
  expect(findPlace({ width: 1360, height: 900 }, size, [column])).toEqual({ left: 16, top: 794 })
})

test('no control is covered wherever there is room beside all of them', () => {
  const rows = fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { maxLength: 15 })
  fc.assert(
    fc.property(rows, (taken) => {
      // Rows of 50 px; three free ones in sequence are room enough.
      const controls = taken.map((row) => ({
        left: 20,
        top: row * 50 + 5,
        right: 370,
        bottom: row * 50 + 45,
      }))
      const free = (row: number) => !taken.includes(row)
      const hasRoom = Array.from({ length: 13 }, (_, row) => row + 1).some(
        (row) => free(row) && free(row + 1) && free(row + 2),
      )
      const place = findPlace(phone, size, controls)
      expect(place.top).toBeGreaterThanOrEqual(0)
      expect(place.top + size.height).toBeLessThanOrEqual(phone.height)
      if (hasRoom) expect(controls.some((control) => isOver(place, control))).toBe(false)
    }),
  )
})

test('where no place is free, a field is covered rather than a button', () => {
  const field = { left: 20, top: 0, right: 370, bottom: 400, isSpare: true }
  const buttons = [420, 480, 540, 600, 660, 720, 780].map((top) => ({
    left: 20,
    top,
    right: 370,
    bottom: top + 50,
  }))
  const place = findPlace(phone, size, [field, ...buttons])
  expect(buttons.some((button) => isOver(place, button))).toBe(false)
})

test('in a window that is too small they begin at its top', () => {
  expect(findPlace({ width: 300, height: 60 }, size, []).top).toBe(16)
})
