// Inline scripts and styles are allowed by their hashes; of the scripts those that a page has without any data.
import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import type { BookReader } from '#domains/book/book-reader.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { openBoundedWorker } from '#platform/bounded-worker.ts'
import { type Content, compress, compressAs, createContent, type Encoding } from '#platform/http/content.ts'
import { ownFile } from '#platform/own-file.ts'
import {
  type BookLink,
  type BriefBook,
  linksIn,
  longTextsOf,
  showBriefly,
  showChapters,
} from '#domains/book/show-book.ts'
import { showLegalPages } from '#domains/book/legal-pages.ts'
import { once } from '#platform/cached.ts'
import { loadPageWording, withTexts } from '#words/wording.ts'
import { sampleBook } from '#content/sample-book.ts'
import type { PageData } from './render.ts'

const inlineScript = /<script(?![^>]*\bsrc=)(?![^>]*json)[^>]*>(.*?)<\/script>/gs
const inlineStyle = /<style[^>]*>(.*?)<\/style>/gs

/** `referrer`: of a page whose address holds a right, as the links from mails, no other one learns it. */
export function pageHeaders(
  html: string,
  scripts: ReadonlySet<string>,
  referrer = 'no-referrer',
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': contentPolicy(html, scripts),
    'x-content-type-options': 'nosniff',
    'referrer-policy': referrer,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

function contentPolicy(html: string, scripts: ReadonlySet<string>): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${[...scripts].join(' ')}`,
    `style-src 'self' ${[...hashes(html, inlineStyle)].join(' ')}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export const scriptHashes = (html: string): Set<string> => hashes(html, inlineScript)

function hashes(html: string, inline: RegExp): Set<string> {
  const texts = Array.from(html.matchAll(inline), ([, text = '']) => text)
  return new Set(texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`))
}

/** React Router's script with the loaders' data. */
const dataScript = /<script>window\.__reactRouterContext\.streamController\.enqueue\((".*?")\);<\/script>/gs

/** The data become JSON beside a script that is the same on every page. */
function moveDataOut(html: string): string {
  const read = 'JSON.parse(document.currentScript.previousElementSibling.textContent)'
  return html.replaceAll(
    dataScript,
    (_, json: string) =>
      `<script type="application/json">${json}</script><script>window.__reactRouterContext.streamController.enqueue(${read})</script>`,
  )
}

export type BookWork = BookReader & {
  readBriefly: (document: BookDocument) => Promise<BriefBook>
  renderContent: (page: PageTask) => Promise<Content>
  renderHtml: (page: PageTask) => Promise<string>
  close(): Promise<void>
}

const limits = { threads: 1, maxQueued: 64, taskMs: 60_000, memoryMb: 512 }

export function openBookWork(): BookWork {
  const thread = pathToFileURL(ownFile('#pages/book-thread.ts'))
  const worker = openBoundedWorker<BookTask, BookOutcome>(thread, limits)
  const run = async (task: BookTask) => (isLong(task) ? worker.run(task) : performTask(task))
  const readJson = async (task: BookTask) => {
    const outcome = await run(task)
    if ('json' in outcome) return outcome.json
    throw new Error('a book was not read')
  }
  return {
    readChapters: (document) => readJson({ kind: 'chapters', document }),
    readLegalPages: (request) => readJson({ kind: 'legal pages', ...request }),
    async findLinks(document) {
      const outcome = await run({ kind: 'links', document })
      if ('links' in outcome) return outcome.links
      throw new Error('links were not looked for')
    },
    async readBriefly(document) {
      const outcome = await run({ kind: 'brief', document })
      if ('brief' in outcome) return outcome.brief
      throw new Error('a book was not read')
    },
    async renderContent(page) {
      const outcome = await run({ kind: 'content', ...page })
      if ('content' in outcome) return outcome.content
      throw new Error('a page was not rendered')
    },
    async renderHtml(page) {
      const outcome = await run({ kind: 'html', ...page })
      if ('html' in outcome) return outcome.html
      throw new Error('a page was not rendered')
    },
    close: () => worker.close(),
  }
}

/** Characters that Markdown may interpret; each costs about 10 µs. */
const mark = /[!#&*+<>[\\\]_`-]/g

/** About 50 ms of rendering; the start of the thread takes 250 ms. */
const maxMarks = 5_000

function isLong(task: BookTask): boolean {
  const texts = 'brief' in task ? longTextsOf(task.brief) : task.document
  let marks = 0
  for (const _ of JSON.stringify(texts).matchAll(mark)) if ((marks += 1) > maxMarks) return true
  return false
}

/** A page with an `encoding` is for one client, which takes that; else it is for all, in all encodings. */
type PageTask = PageData & { url: string; encoding?: Encoding }

type LegalTask = Parameters<BookReader['readLegalPages']>[0]

type BookTask =
  | ({ kind: 'content' | 'html' } & PageTask)
  | { kind: 'brief' | 'chapters' | 'links'; document: BookDocument }
  | ({ kind: 'legal pages' } & LegalTask)

type BookOutcome =
  | { brief: BriefBook }
  | { content: Content }
  | { html: string }
  | { json: Uint8Array<ArrayBuffer> }
  | { links: BookLink[] }

export async function performTask(task: BookTask): Promise<BookOutcome> {
  switch (task.kind) {
    case 'content':
      return { content: await makeContent(task) }
    case 'html':
      return { html: await (await render(task)).text() }
    case 'brief':
      return { brief: await showBriefly(task.document) }
    case 'chapters':
      return { json: Buffer.from(JSON.stringify(await readChapters(task.document))) }
    case 'legal pages':
      return { json: Buffer.from(JSON.stringify(await readLegalPages(task))) }
    default:
      return { links: linksIn(task.document) }
  }
}

async function readChapters(document: BookDocument) {
  return withTexts(await loadPageWording(document), () => showChapters(document))
}

async function readLegalPages({ document, ...facts }: LegalTask) {
  return withTexts(await loadPageWording(document), () => showLegalPages(document, facts))
}

const loadRender = once(async () => {
  const { createRender, loadFronts } = await import('./render.ts')
  return createRender(await loadFronts(), 'production')
})

async function render({ url, ...data }: PageTask): Promise<Response> {
  const renderPage = await loadRender()
  return renderPage(new Request(url), data)
}

async function makeContent({ encoding, ...task }: PageTask): Promise<Content> {
  const response = await render(task)
  const { status } = response
  const html = moveDataOut(lowerScripts(await response.text()))
  if (status >= 500) throw new Error(`The page ${task.url} was rendered with status ${status}`)
  return createContent(
    await (encoding
      ? compressAs(encoding, Buffer.from(html), 'quick')
      : compress(Buffer.from(html), 'quick')),
    pageHeaders(html, await scriptsOf(task), response.headers.get('referrer-policy') ?? undefined),
    status,
  )
}

const scripts = new Map<string, Promise<Set<string>>>()

/** Renders the page at this path with the sample's book and without products: it has the same scripts as with any other. */
function scriptsOf({ url, facts }: PageTask): Promise<Set<string>> {
  const { pathname } = new URL(url)
  const known =
    scripts.get(pathname) ??
    render({ url, facts, products: [], document: sampleBook }).then(async (response) =>
      scriptHashes(moveDataOut(await response.text())),
    )
  scripts.set(pathname, known)
  return known
}

/** The scripts are fetched after the fonts and the cover, which the page is painted with. */
function lowerScripts(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchPriority="low"')
}
