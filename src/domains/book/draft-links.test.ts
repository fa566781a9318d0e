// Links are asked for on the internet alone; none of these tests leaves the machine.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { findLinkFault, findWarnings } from './drafts.ts'
import { openBookWork } from '#pages/book-work.ts'

test.each([
  'http://127.0.0.1/',
  'http://10.1.2.3:8080/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fd00::1]/',
  'http://2130706433/',
  'http://168.63.129.16/machine',
  'http://192.0.2.1/',
  'http://[2001:db8::1]/',
])('%s is not asked', async (href) => {
  expect(await findLinkFault(href)).toBe('leads into a network of its own')
})

test.each(['93.184.216.34', '2606:4700::1111'])('%s is asked', async (address) => {
  const family = address.includes(':') ? 6 : 4
  const resolve = async () => [{ address, family } as const]
  const answer = (status: number) => findLinkFault('http://books.example/', resolve, async () => status)
  expect(await answer(200)).toBeUndefined()
  expect(await answer(404)).toBe('leads to a page that does not exist')
})

test('a name without an address is reported as not reached', async () => {
  expect(await findLinkFault('http://no-such-name.invalid/')).toBe('could not be reached')
})

test('a server of this machine gets no request, whatever its name', async () => {
  const asked: (string | undefined)[] = []
  await using server = createServer(({ url }, response) => {
    asked.push(url)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
  expect(await findLinkFault(`http://books.example:${port}/`, resolve)).toBe(
    'leads into a network of its own',
  )
  expect(asked).toEqual([])
})

test('a warning says in which part of the book its link stands', async () => {
  const at = (name: string) => `[a link](http://127.0.0.1/${name})`
  const terms = { ...sampleBook.legal.pages.terms, is_shown: true, title: 'Terms', text: at('terms') }
  const found = await findWarnings(
    { log: pino({ enabled: false }), bookReader: openBookWork() },
    {
      ...sampleBook,
      author: { ...sampleBook.author, biography: at('author') },
      invitation: { title: 'Come in', text: at('invitation') },
      text: { title: 'Mine', text: at('text') },
      preview: { chapters: [{ number: 1, title: 'First', text: `- ${at('chapter')}` }], after: '' },
      questions: [{ question: '', answer: at('answer') }],
      legal: { ...sampleBook.legal, pages: { ...sampleBook.legal.pages, terms } },
    },
  )
  const links = found.filter(({ says }) => says.startsWith('The link'))
  expect(links.map(({ field, says }) => [field, says.match(/ in (.*) leads/)?.[1]])).toEqual([
    ['author.biography', 'the author’s biography'],
    ['invitation.text', 'the invitation'],
    ['text.text', 'your own text'],
    ['preview.chapters.0.text', 'the preview’s chapter 1 “First”'],
    ['questions.0.answer', 'the answer to question 1'],
    ['legal.pages.terms.text', 'the legal page “Terms”'],
  ])
})
