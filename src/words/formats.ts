import { defineTexts } from './texts.ts'

export const formatsTexts = defineTexts('formats', {
  names: {
    digital: 'Digital',
    paperback: 'Paperback',
    hardcover: 'Hardcover',
    bundle: 'Bundle',
  },
  within: {
    digital: 'digital',
    paperback: 'paperback',
    hardcover: 'hardcover',
    bundle: 'bundle',
  },
})
