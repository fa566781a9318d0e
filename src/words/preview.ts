import { defineTexts } from './texts.ts'

export const previewTexts = defineTexts('preview', {
  failed: {
    title: 'Error',
    description: 'Failed to load the preview',
  },
  page: 'Preview',
  titles: '{first}, and {second}',
  description: 'Read the beginning of {book}.',
  back: 'Back to the book',
  beginning: 'The beginning of {book} by {author}',
  notLoaded: 'The preview could not be loaded',
  tryAgain: 'Try again',
  place: 'Where you are',
  read: '{percent}% read',
  getTheBook: 'Get the Book',
})
