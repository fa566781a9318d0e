import { defineTexts } from './texts.ts'

export const formatsTexts = defineTexts('formats', {
  names: {
    digital: 'Digital',
    paperback: 'Paperback',
    hardcover: 'Hardcover',
    bundle: 'Bundle',
  },
  buy: {
    digital: 'Buy Digital',
    paperback: 'Buy Paperback',
    hardcover: 'Buy Hardcover',
    bundle: 'Buy Bundle',
  },
  get: {
    digital: 'Get Digital',
    paperback: 'Get Paperback',
    hardcover: 'Get Hardcover',
    bundle: 'Get Bundle',
  },
  within: {
    digital: 'digital',
    paperback: 'paperback',
    hardcover: 'hardcover',
    bundle: 'bundle',
  },
})
