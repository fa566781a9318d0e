import { defineTexts } from './texts.ts'

export const legalTexts = defineTexts('legal', {
  failed: {
    title: 'Error',
    description: 'Failed to load the page',
  },
  notLoaded: 'The page could not be loaded',
  tryAgain: 'Try again',
})
