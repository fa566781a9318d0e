// Forms as browsers post them without scripts, to a shop with its pages. Needs the build.
import { openSite } from '#pages/site.ts'
import type { TestShop } from './shop.ts'

export const withPages = openSite

type Fields = Readonly<Record<string, string>>

/** From a page of the shop, unless the headers say something else. */
export const postForm = (
  { call }: Pick<TestShop, 'call'>,
  path: string,
  fields: Fields,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
) =>
  call('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

/** What the forms have, hidden or typed, that are posted to `action`. */
export function fieldsIn(html: string, action: string): Record<string, string> {
  const forms = html.matchAll(
    new RegExp(`<form(?=[^>]*method="post")[^>]*action="${action}"[^>]*>[^]*?</form>`, 'g'),
  )
  const inputs = Array.from(forms, ([form]) => form)
    .join('')
    .matchAll(/<input[^>]*>/g)
  const fields = Array.from(inputs, ([input]) => [attribute(input, 'name'), attribute(input, 'value')])
  return Object.fromEntries(fields) as Record<string, string>
}

const attribute = (element: string, name: string) =>
  (new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1] ?? '')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
