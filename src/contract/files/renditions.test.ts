// Which sizes of a picture a browser chooses from.
import { expect, test } from 'vitest'
import { pictureSources } from './renditions.ts'

const widths = (width: number) =>
  pictureSources({ id: 'x', width, height: 1000 }, 'webp')
    .split(', ')
    .map((source) => source.replace('/pictures/x/', ''))

test('each size is offered once, with the width that it has', () => {
  expect(widths(4000)).toEqual(['320.webp 320w', '640.webp 640w', '1280.webp 1280w'])
  expect(widths(640)).toEqual(['320.webp 320w', '640.webp 640w'])
  expect(widths(641)).toEqual(['320.webp 320w', '640.webp 640w', '1280.webp 641w'])
  expect(widths(200)).toEqual(['320.webp 200w'])
})
