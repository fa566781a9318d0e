// What is said of a sender's domain, by the records it has.
import { expect, test } from 'vitest'
import { checkSender } from './mail-setup.ts'
import { findProvider, mailProviders, mailSettings } from '#contract/mail/mail-settings.ts'

type Zone = Record<string, string[]>

async function check(
  zone: Zone,
  { host = 'smtp.fastmail.com', domain = 'books.example', selector = '' } = {},
) {
  const asked: string[] = []
  const lookUp = async (name: string) => {
    asked.push(name)
    return zone[name] ?? []
  }
  const { findings } = await checkSender(lookUp, `shop@${domain}`, { host, dkim_selector: selector })
  const of = (topic: string) => findings.find((finding) => finding.topic === topic)
  return { spf: of('SPF'), dkim: of('DKIM'), dmarc: of('DMARC'), findings, asked }
}

const key = 'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQ'

test('for a domain without records, each record to add is shown', async () => {
  const { spf, dkim, dmarc } = await check({})
  expect(spf).toMatchObject({
    state: 'missing',
    wanted: [{ type: 'TXT', name: 'books.example', value: 'v=spf1 include:spf.messagingengine.com ~all' }],
  })
  expect(dkim).toMatchObject({ state: 'missing' })
  expect(dkim?.wanted).toEqual(
    ['fm1', 'fm2', 'fm3'].map((name) => ({
      type: 'CNAME',
      name: `${name}._domainkey.books.example`,
      value: `${name}.books.example.dkim.fmhosted.com`,
    })),
  )
  expect(dmarc).toMatchObject({
    state: 'missing',
    wanted: [{ type: 'TXT', name: '_dmarc.books.example', value: 'v=DMARC1; p=none' }],
  })
})

test('a domain that is set up is good, also by what its records include and by the domain above it', async () => {
  const { findings } = await check(
    {
      'mail.books.example': ['unrelated', 'v=spf1 mx include:spf.books.example -all'],
      'spf.books.example': ['v=spf1 include:spf.messagingengine.com ~all'],
      'fm2._domainkey.mail.books.example': [key],
      '_dmarc.books.example': ['v=DMARC1; p=reject; rua=mailto:a@books.example'],
    },
    { domain: 'mail.books.example' },
  )
  expect(findings.map(({ topic, state }) => [topic, state])).toEqual([
    ['SPF', 'good'],
    ['DKIM', 'good'],
    ['DMARC', 'good'],
  ])
})

test.each([
  ['v=spf1 mx -all', 'v=spf1 mx include:spf.messagingengine.com -all'],
  ['v=spf1 mx', 'v=spf1 mx include:spf.messagingengine.com ~all'],
  ['v=spf1 redirect=spf.other.example', 'v=spf1 include:spf.messagingengine.com redirect=spf.other.example'],
  ['v=spf1', 'v=spf1 include:spf.messagingengine.com ~all'],
])('an SPF record without the provider, %s, becomes %s', async (record, wanted) => {
  const { spf } = await check({ 'books.example': [record] })
  expect(spf).toMatchObject({ state: 'wrong', found: [{ value: record }], wanted: [{ value: wanted }] })
})

test('several SPF records become one', async () => {
  const { spf } = await check({
    'books.example': ['v=spf1 mx include:a.example -all', 'v=spf1 include:spf.messagingengine.com mx ~all'],
  })
  expect(spf).toMatchObject({ state: 'wrong' })
  expect(spf?.wanted[0]?.value).toBe('v=spf1 mx include:a.example include:spf.messagingengine.com -all')
})

test('records that include each other, or too many, end the search', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`${n}.example`, [`v=spf1 include:${n + 1}.example -all`]]),
  )
  const circle = { 'a.example': ['v=spf1 include:b.example'], 'b.example': ['v=spf1 include:a.example'] }
  for (const [first, zone] of [
    ['0.example', chain],
    ['a.example', circle],
  ] as const) {
    const { spf, asked } = await check({ 'books.example': [`v=spf1 include:${first} -all`], ...zone })
    expect(spf).toMatchObject({ state: 'wrong' })
    expect(asked.length).toBeLessThan(25)
  }
})

test('a revoked DKIM key and invalid DMARC records are reported', async () => {
  const { dkim, dmarc } = await check({
    'fm1._domainkey.books.example': ['v=DKIM1; p='],
    '_dmarc.books.example': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
  })
  expect([dkim?.state, dmarc?.state]).toEqual(['wrong', 'wrong'])
  const { dmarc: pointless } = await check({ '_dmarc.books.example': ['v=DMARC1; rua=mailto:a@b.example'] })
  expect(pointless).toMatchObject({ state: 'wrong', wanted: [{ value: 'v=DMARC1; p=none' }] })
})

test('where keys have names of their own, the one that was entered is looked up', async () => {
  const host = 'smtp.postmarkapp.com'
  const zone = { '20260101pm._domainkey.books.example': [key] }
  const before = await check(zone, { host })
  expect([before.spf?.state, before.dkim?.state]).toEqual(['not_needed', 'unclear'])
  const named = await check(zone, { host, selector: '20260101pm' })
  expect(named.dkim).toMatchObject({ state: 'good' })
  expect((await check(zone, { host, selector: 'other' })).dkim).toMatchObject({ state: 'missing' })
  const moved = await check({ 'fm1._domainkey.books.example': [key] }, { selector: '20260101pm' })
  expect(moved.dkim).toMatchObject({ state: 'good' })
})

test('a provider may have its SPF record on a name below the domain', async () => {
  const { spf } = await check({}, { host: 'smtp.resend.com' })
  expect(spf?.wanted).toEqual([
    { type: 'TXT', name: 'send.books.example', value: 'v=spf1 include:amazonses.com ~all' },
  ])
})

test('for an unknown provider, only what DNS says is checked', async () => {
  const zone = { 'books.example': ['v=spf1 mx -all'] }
  const { spf, dkim } = await check(zone, { host: 'mail.books.example' })
  expect([spf?.state, dkim?.state]).toEqual(['unclear', 'unclear'])
  expect(await check({}, { host: 'mail.books.example' })).toMatchObject({
    spf: { state: 'missing', wanted: [] },
  })
})

test('a free mail address is accepted with its own provider only', async () => {
  const own = await check({}, { host: 'smtp.gmail.com', domain: 'gmail.com' })
  expect(own.findings).toMatchObject([{ state: 'not_needed' }])
  const other = await check({}, { host: 'smtp.resend.com', domain: 'gmail.com' })
  expect(other.findings).toMatchObject([{ state: 'wrong' }])
  expect([...own.asked, ...other.asked]).toEqual([])
})

test('a local name is not looked up, and a failed lookup is unclear', async () => {
  for (const domain of ['localhost', '127.0.0.1']) {
    expect(await check({}, { domain })).toMatchObject({ findings: [], asked: [] })
  }
  const away = async () => Promise.reject(new Error('queryTxt ETIMEOUT books.example'))
  const { findings } = await checkSender(away, 'shop@books.example', {
    host: 'smtp.fastmail.com',
    dkim_selector: '',
  })
  expect(findings.map(({ state }) => state)).toEqual(['unclear', 'unclear', 'unclear'])
  expect(findings[0]?.explanation).toContain('ETIMEOUT')
})

test('each provider is known by its server, in other regions too, and is a valid setting', () => {
  const sender = { from_name: '', from_address: '', dkim_selector: '' }
  const rest = { user: '', ...sender, bulk_per_hour: 200, is_public_only: true }
  for (const provider of mailProviders) {
    const { host, port, encryption } = provider
    expect(findProvider(host)).toBe(provider)
    expect(mailSettings.safeParse({ host, port, encryption, ...rest }).success).toBe(true)
  }
  expect(findProvider('email-smtp.eu-central-1.amazonaws.com')?.name).toBe('Amazon SES')
  expect(findProvider('SMTP.EU.mailgun.org')?.name).toBe('Mailgun')
  expect(findProvider('smtp.fastmail.com.evil.example')).toBeUndefined()
})
