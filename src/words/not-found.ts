import { defineTexts } from './texts.ts'

export const notFoundTexts = defineTexts('notFound', {
  page: 'Page not found · {book}',
  title: 'Oops! Page not found',
  text: 'There is nothing at this address. Perhaps the link was mistyped, or the page has moved.',
  adminDashboard: 'Admin Dashboard',
})
