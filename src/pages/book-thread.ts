// The thread that renders pages of a draft.
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { render as renderBook } from '#features/book/published-book.ts'
import { ownFile } from '#platform/own-file.ts'
import { serveTasks } from '#platform/serve-tasks.ts'
import type { DraftPageTask } from './draft-pages.ts'
import { createRender } from './render.ts'

const build: ServerBuild = await import(pathToFileURL(ownFile('#build/server/pages.js')).href)

serveTasks(async ({ url, document, products, facts }: DraftPageTask) => {
  const render = createRender(build, { mode: 'production', readFacts: () => facts })
  const response = await render(new Request(url), { products, book: renderBook(document) })
  return response.text()
})
