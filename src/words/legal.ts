export const legalTexts = {
  failed: {
    title: 'Error',
    description: 'Failed to load the page',
  },
  notLoaded: 'The page could not be loaded',
  tryAgain: 'Try again',
} as const
