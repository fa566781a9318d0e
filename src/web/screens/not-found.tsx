import { notFoundTexts } from '#words/not-found.ts'
import { fill } from '#words/fill.ts'
import { data } from 'react-router'
import type { Route } from './+types/not-found.ts'
import { PageNotFound } from '../page-not-found.tsx'

export function loader() {
  return data(null, { status: 404 })
}

/** Inside the site the server need not be asked again. */
export async function clientLoader() {
  return null
}

export function meta({ matches }: Route.MetaArgs) {
  const { book } = matches[0].loaderData
  return [{ title: fill(notFoundTexts.page, { book: book.title }) }, { name: 'robots', content: 'noindex' }]
}

export default function NotFound() {
  return <PageNotFound />
}
