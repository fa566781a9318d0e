// A page of a few lines for what is refused before a page could be rendered, as where too many are asked for at a time.
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import type { platformRefusals } from '#contract/platform-refusals.ts'
import { platformProblem } from '#platform/problem.ts'
import { siteTexts } from '#words/site.ts'
import { currentLocale, type Wording } from '#words/texts.ts'
import { withTexts } from '#words/wording.ts'
import { pageHeaders } from './book-work.ts'

/** Its colors are those of look.css. */
const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#faf6ee,#12172a);
color:light-dark(#1b2440,#efe9dc);font:1.125rem/1.65 system-ui,sans-serif}
main{max-width:34rem;padding:2rem 1.5rem;text-align:center}
h1{margin:0 0 1.5rem;font:400 1.75rem/1.25 Georgia,'Times New Roman',serif;text-wrap:balance}
a{display:inline-block;margin:.25rem;padding:.65rem 1.25rem;border:1px solid light-dark(#7f8596,#7a84a6);
border-radius:10px;color:inherit;text-decoration:none}
a:focus-visible{outline:3px solid light-dark(#875c10,#e0b65a);outline-offset:2px}`

type PlainPage = {
  title: string
  /** The address that is opened again. */
  again?: string | undefined
}

/** Its words are in the wording of the caller. */
export async function plainPage({
  title,
  again,
}: PlainPage): Promise<{ body: string; headers: Record<string, string> }> {
  const page = await html`<!doctype html>
    <html lang="${currentLocale()}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body dir="auto">
        <main>
          <h1>${title}</h1>
          ${again !== undefined && html`<a href="${again}">${siteTexts.tryAgain}</a>`}
          <a href="/">${siteTexts.returnHome}</a>
        </main>
      </body>
    </html>`
  const body = page.toString()
  return { body, headers: { ...pageHeaders(body, new Set()), 'cache-control': 'no-store' } }
}

type Refusal = {
  code: keyof typeof platformRefusals
  /** Seconds. */
  retryAfter: number
}

/** It stands for a page that was to be made for this request. Only the browser can send a form's fields again. */
export function refusePlainly(
  { req }: Context,
  wording: Wording,
  { code, retryAfter }: Refusal,
): Promise<Response> {
  return withTexts(wording, async () => {
    const { status, message } = platformProblem(code, { retryAfter })
    const { pathname, search } = new URL(req.url)
    const again = req.method === 'POST' ? undefined : pathname + search
    const { body, headers } = await plainPage({ title: message, again })
    return new Response(body, { status, headers: { ...headers, 'retry-after': String(retryAfter) } })
  })
}

/** Answers a request whose head could not be read, so that nobody knows what was asked for. */
export function headersTooLarge(wording: Wording): ReturnType<typeof plainPage> {
  return withTexts(wording, () => plainPage({ title: siteTexts.headersTooLarge }))
}
