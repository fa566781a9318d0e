// Each screen of the admin area leads to a page of the manual that exists, and what the pages lead to exists, too.
import { glob, readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { expect, test } from 'vitest'
import siteMap from '#web/app/routes.ts'
import { helpOf } from '#web/app/admin/admin-nav.tsx'
import { manualPath, manualPages } from '#contract/overview/manual.ts'
import { readManual } from './manual.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = `${root}docs/manual/`

function pathsOf({ path, children }: RouteConfigEntry, above: string): string[] {
  const own = path === undefined ? above : `${above}/${path}`
  return children ? children.flatMap((child) => pathsOf(child, own)) : [own]
}

const screens = siteMap.flatMap((entry) => pathsOf(entry, ''))
const pages = manualPages.map(({ name }) => manualPath(name))

test('the pages are those of the folder, under their titles, and have text', async () => {
  const files = await readdir(folder)
  expect(files.toSorted()).toEqual(manualPages.map(({ name }) => `${name}.md`).toSorted())
  for (const { name, title } of manualPages) {
    const markdown = await readFile(`${folder}${name}.md`, 'utf8')
    expect(markdown.split('\n')[0]).toBe(`# ${title}`)
  }
  for (const { text, name } of await readManual()) expect(text.length, name).toBeGreaterThan(300)
})

test('what is code in a page is strong, without its marks', async () => {
  const pagesRead = await readManual()
  for (const { name, text } of pagesRead) expect(text, name).not.toMatch(/[`*\\]/)
  const webhook = pagesRead.find(({ name }) => name === 'webhook')
  expect(JSON.stringify(webhook?.blocks)).toContain('{"text":"WEBHOOK_PRIVATE_HOSTS=on","strong":true}')
})

test('each screen of the admin area has its page', () => {
  const ofAdmin = screens.filter((path) => path.startsWith('/admin'))
  expect(ofAdmin.length).toBeGreaterThan(30)
  for (const path of ofAdmin)
    expect([path, helpOf(path)?.name ?? 'the help itself']).toEqual([
      path,
      path.startsWith('/admin/help') ? 'the help itself' : expect.stringMatching(/^[a-z-]+$/),
    ])
  // A screen without an entry of its own would have that of the first screen.
  const atToday = ofAdmin.filter((path) => helpOf(path)?.name === 'today')
  expect(atToday).toEqual(['/admin', '/admin/mails/to-you'])
})

test('links in the pages lead to screens and pages that exist', async () => {
  for (const { name } of manualPages) {
    const markdown = await readFile(`${folder}${name}.md`, 'utf8')
    const links = [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!)
    for (const link of links) expect([...screens, ...pages], `${name}: ${link}`).toContain(link)
  }
})

test('links in screens lead to screens that exist', async () => {
  const known = [...screens.filter((path) => path !== '/admin/help/:name'), ...pages]
  const patterns = known.map((path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`))
  const found: string[] = []
  for await (const file of glob(`${root}src/web/app/admin/**/*.tsx`)) {
    const source = await readFile(file, 'utf8')
    const links = [...source.matchAll(/\bto(?:=\{?|: )['"`](\/admin(?!\/\$)[^'"`?#]*)/g)].map(
      ([, link]) => link!,
    )
    for (const link of links) {
      const path = link.replaceAll(/\$\{[^}]+\}/g, 'x')
      expect(
        patterns.some((pattern) => pattern.test(path)),
        `${file}: ${link}`,
      ).toBe(true)
      found.push(link)
    }
  }
  expect(found.length).toBeGreaterThan(50)
})
