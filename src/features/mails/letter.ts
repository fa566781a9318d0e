// The look all mails share, and the few parts they are made of. Node loads no .tsx, hence createElement.
import { createElement as h, type ReactNode } from 'react'
import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { render, toPlainText } from '@react-email/render'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { book } from '#content/book.ts'

export type Rendered = { subject: string; html: string; text: string }

type Parts = {
  subject: string
  /** The grey line a mailbox shows beside the subject. */
  preview: string
  title: string
  siteUrl: string
  children: ReactNode[]
}

/** HTML and its plain-text twin, for any mailbox, light or dark. */
export async function composeLetter({
  subject,
  preview,
  title,
  siteUrl,
  children,
}: Parts): Promise<Rendered> {
  const html = await render(
    h(
      Html,
      { lang: book.language },
      h(
        Head,
        null,
        h('meta', { name: 'color-scheme', content: 'light dark' }),
        h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
        h('style', { dangerouslySetInnerHTML: { __html: darkMailbox } }),
      ),
      h(Preview, null, preview),
      h(
        Body,
        { className: 'page', style: look.page },
        h(
          Container,
          { className: 'sheet', style: look.sheet },
          h(Text, { className: 'brand', style: look.brand }, book.title),
          h(Heading, { as: 'h1', className: 'ink', style: look.title }, title),
          ...children,
          h(Hr, { className: 'rule', style: look.rule }),
          h(
            Text,
            { className: 'soft', style: look.foot },
            'Sent by the shop of ',
            h(Link, { href: siteUrl, className: 'soft', style: look.footLink }, book.title),
            '.',
          ),
        ),
      ),
    ),
  )
  return { subject, html, text: toPlainText(html) }
}

export function paragraph(...children: ReactNode[]) {
  return h(Text, { className: 'ink', style: look.text }, ...children)
}

export function quiet(...children: ReactNode[]) {
  return h(Text, { className: 'soft', style: look.quiet }, ...children)
}

export function button(label: string, href: string) {
  return h(
    Section,
    { style: look.buttonRow },
    h(Button, { href, className: 'button', style: look.button }, label),
  )
}

export function link(words: string, href: string) {
  return h(Link, { href, className: 'soft', style: look.footLink }, words)
}

/** What somebody wrote, its lines kept. */
export function quotation(words: string) {
  return h(Text, { className: 'ink quote', style: look.quote }, ...lines(words))
}

function lines(words: string): ReactNode[] {
  return words.split('\n').flatMap((part, at) => (at === 0 ? [part] : [h('br', { key: at }), part]))
}

/** A table of names and values, whose lines are kept. */
export function facts(rows: readonly (readonly [name: string, value: string])[]) {
  return h(
    'table',
    { role: 'presentation', cellPadding: 0, cellSpacing: 0, width: '100%', style: look.facts },
    h(
      'tbody',
      null,
      rows.map(([name, value]) =>
        h(
          'tr',
          { key: name },
          h('td', { className: 'soft', style: look.factName }, `${name} `),
          h('td', { className: 'ink', style: look.factValue }, ...lines(value)),
        ),
      ),
    ),
  )
}

const serif = "Fraunces, Georgia, 'Times New Roman', serif"
const sans = "Inter, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
const ink = '#1B2440'
const soft = '#55607A'
const line = '#E4DCCB'
const body = { fontFamily: sans, fontSize: '16px', lineHeight: '26px', color: ink }

const look = {
  page: { backgroundColor: '#FAF6EE', margin: 0, padding: '32px 12px' },
  sheet: {
    backgroundColor: '#FFFFFF',
    border: `1px solid ${line}`,
    borderRadius: '10px',
    maxWidth: '560px',
    padding: '36px 32px 24px',
    wordBreak: 'break-word',
  },
  brand: { fontFamily: serif, fontSize: '15px', lineHeight: '20px', color: '#875C10', margin: '0 0 20px' },
  title: {
    fontFamily: serif,
    fontSize: '28px',
    lineHeight: '34px',
    fontWeight: 600,
    color: ink,
    margin: '0 0 16px',
  },
  text: { ...body, margin: '0 0 16px' },
  quiet: { ...body, fontSize: '14px', lineHeight: '22px', color: soft, margin: '0 0 12px' },
  quote: { ...body, borderLeft: '3px solid #B8862F', paddingLeft: '16px', margin: '0 0 20px' },
  buttonRow: { margin: '8px 0 24px' },
  button: {
    backgroundColor: ink,
    borderRadius: '10px',
    color: '#FFFFFF',
    fontFamily: sans,
    fontSize: '16px',
    fontWeight: 600,
    padding: '14px 24px',
    textDecoration: 'none',
  },
  facts: { ...body, borderTop: `1px solid ${line}`, margin: '0 0 20px' },
  factName: { color: soft, padding: '10px 16px 10px 0', verticalAlign: 'top', width: '120px' },
  factValue: { padding: '10px 0', fontWeight: 500 },
  rule: { borderColor: line, margin: '24px 0 16px' },
  foot: { ...body, fontSize: '13px', lineHeight: '20px', color: soft, margin: 0 },
  footLink: { color: soft, textDecoration: 'underline' },
} as const

const darkMailbox = `@media (prefers-color-scheme: dark) {
  .page, .page > table > tbody > tr > td { background-color: #12172A !important; }
  .sheet { background-color: #1A2138 !important; border-color: #2C3554 !important; }
  .ink { color: #EFE9DC !important; }
  .soft { color: #AEB6CC !important; }
  .brand { color: #E0B65A !important; }
  .button { background-color: #E0B65A !important; color: #12172A !important; }
  .rule, table { border-color: #2C3554 !important; }
}`
