// Findings in files that are broken, locked or hostile. Reading them blocks nothing.
import { mkdtempDisposable, open, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { container, makeBook, makeEpub, packageDocument } from '#test/epub.ts'
import type { Problem } from '#platform/problem.ts'
import { checkEbook, openUploadReader, readBookFile } from './ebook-reader.ts'
import { openTestShop } from '#test/shop.ts'
import { upload } from '#test/upload.ts'

const reader = openUploadReader()
const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-ebooks-'))
afterAll(async () => {
  await reader.close()
  await folder.remove()
})

let files = 0

/** The findings as one text, or the code and detail of the refusal. */
async function check(content: Uint8Array, name = 'x.epub'): Promise<string> {
  const path = join(folder.path, String((files += 1)))
  await writeFile(path, content)
  return checkEbook(reader, path, name).then(
    ({ findings }) => findings.join(' '),
    ({ code, message }: Problem) => `${code}: ${message}`,
  )
}

const book = (opf: string) => makeEpub({ 'O/b.opf': opf })

test('a sound EPUB has no findings: in UTF-16, with prefixes, encoded names and fonts scrambled as the rules have it', async () => {
  expect(await check(makeEpub())).toBe('')
  const utf16 = Buffer.concat([
    Buffer.of(0xff, 0xfe),
    Buffer.from(packageDocument.replace('1.0"', '1.0" encoding="UTF-16"'), 'utf16le'),
  ])
  expect(await check(makeEpub({ 'O/b.opf': utf16 }))).toBe('')
  const prefixed = packageDocument.replaceAll(
    /<(\/?)(package|metadata|manifest|item|spine|itemref)\b/g,
    '<$1opf:$2',
  )
  expect(await check(book(prefixed))).toBe('')
  const encoded = packageDocument.replace('a.xhtml', './K%C3%B6nig%201.xhtml#top')
  expect(await check(makeEpub({ 'O/b.opf': encoded, 'O/König 1.xhtml': '<html/>' }))).toBe('')
  const scrambled = `<encryption><enc:EncryptedData xmlns:enc="e"><enc:EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/></enc:EncryptedData></encryption>`
  expect(await check(makeEpub({ 'META-INF/encryption.xml': scrambled }))).toBe('')
})

test('what users would stumble over is found, in plain words', async () => {
  expect(await check(makeEpub({ 'META-INF/container.xml': undefined }))).toMatch(/container\.xml/)
  expect(await check(makeEpub({ 'O/b.opf': undefined }))).toMatch(/package document is missing/)
  expect(await check(book('<package><metadata>'))).toMatch(/not well-formed/)
  expect(await check(book('<package>&nbsp;</package>'))).toMatch(/not well-formed/)
  expect(await check(book(''))).toMatch(/not well-formed/)
  expect(await check(makeEpub({ 'O/b.opf': Buffer.of(0xff, 0x00, 0x80) }))).toMatch(/not well-formed/)
  expect(await check(book('<package/>'))).toMatch(/no reading order.*no title/)
  expect(await check(makeEpub({ 'O/A.xhtml': 'x' }))).toMatch(/two files with the name “O\/A\.xhtml”/)
})

const deflated = 8

/** Where each file's record in the archive's directory begins. */
function recordsOf(zip: Buffer): number[] {
  const places: number[] = []
  for (let at = zip.indexOf(signature); at >= 0; at = zip.indexOf(signature, at + 1)) places.push(at)
  return places
}
const signature = 'PK\u0001\u0002'

test('a protected EPUB is found to be one', async () => {
  const locked = `<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></EncryptedData></encryption>`
  expect(await check(makeEpub({ 'META-INF/encryption.xml': locked }))).toMatch(/copy-protected/)
  expect(await check(makeEpub({ 'META-INF/rights.xml': '<rights/>' }))).toMatch(/copy-protected/)
  const zip = makeEpub()
  for (const at of recordsOf(zip)) if (zip.readUInt16LE(at + 10) === deflated) zip.writeUInt16LE(1, at + 8)
  expect(await check(zip)).toMatch(/locked with a password/)
})

test('names are shown without what cannot be stored or seen', async () => {
  const odd = packageDocument.replace('a.xhtml', `a\u202e${'𝔄'.repeat(60)}.xhtml`)
  const words = await check(book(odd))
  expect(words).toMatch(/missing, the first of them “a�𝔄/)
  expect(words.isWellFormed()).toBe(true)
})

/** The last file's record, 20,001 times more. */
function withManyRecords(zip: Buffer): Buffer {
  const end = zip.lastIndexOf('PK\u0005\u0006')
  const record = zip.subarray(recordsOf(zip).at(-1), end)
  const tail = Buffer.from(zip.subarray(end))
  const records = Buffer.concat(Array<Buffer>(20_001).fill(record))
  for (const at of [8, 10]) tail.writeUInt16LE(tail.readUInt16LE(at) + 20_001, at)
  tail.writeUInt32LE(tail.readUInt32LE(12) + records.length, 12)
  return Buffer.concat([zip.subarray(0, end), records, tail])
}

test('what no book needs is refused in words that say what to do', async () => {
  const refused = async (content: Uint8Array, why: RegExp) => {
    const words = await check(content)
    expect(words).toMatch(/^uploads\.too_complex: .*export the book again/)
    expect(words).toMatch(why)
  }
  const bomb = '<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><package>&b;</package>'
  await refused(book(bomb), /DOCTYPE/)
  await refused(
    makeEpub({ 'META-INF/container.xml': `<!DOCTYPE c SYSTEM "file:///etc/passwd">${container}` }),
    /DOCTYPE/,
  )
  await refused(book('<a>'.repeat(200_000)), /100 deep/)
  await refused(book(`<package>${'<item/>'.repeat(150_000)}</package>`), /100000 things/)
  await refused(book(`<package>${' '.repeat(6_000_000)}</package>`), /too large/)
  const zeros = makeEpub()
  zeros.writeUInt32LE(150 * 1024 ** 2, recordsOf(zeros).at(-1)! + 24)
  await refused(zeros, /unpack to 150 MB/)
  await refused(withManyRecords(makeEpub()), /20000 files/)
})

test('an archive that is damaged, lies about a size or leads out of itself is refused', async () => {
  const sound = makeEpub()
  expect(await check(sound.subarray(0, -30))).toMatch(/^uploads\.not_an_ebook: .*damaged/)
  const lying = makeEpub()
  lying.writeUInt32LE(10, recordsOf(lying)[1]! + 24)
  expect(await check(lying)).toMatch(/^uploads\.not_an_ebook: .*damaged/)
  for (const name of ['../evil.xhtml', '/etc/passwd', 'C:/evil', 'O/../../evil', '..\\evil'])
    expect([name, await check(makeEpub({ [name]: 'x' }))]).toEqual([
      name,
      expect.stringMatching(/^uploads\.not_an_ebook: .*leads out of it.*export the book again/),
    ])
})

const longPages = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    `${at}.xhtml`,
    `<h1>${at}</h1>${'<p>A <i>line</i> of <b>it</b>.</p>'.repeat(20_000)}`,
  ]),
)

/** As it was found: read for many seconds by an expression that began anew at each "<". */
const slow = makeEpub({ 'META-INF/container.xml': '<rootfile '.repeat(50_000) })

test('the main thread stays free while hostile files are read', async () => {
  await check(makeEpub())
  const hostile = [slow, book('<a>'.repeat(200_000)), book(`<package ${'a="b" '.repeat(100_000)}/>`)]
  // Of this thread: unlike a duration, no busy machine prolongs it.
  const before = process.threadCpuUsage()
  const found = await Promise.all(hostile.map((content) => check(content)))
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(250)
  // One of them for what it holds, none for the time that it takes.
  expect(found.filter((each) => each.startsWith('uploads.too_complex'))).toEqual([
    expect.stringContaining('more than 100 deep'),
  ])
})

test('what takes too long by the clock may be tried again, and what takes too much processor time is refused', async () => {
  const path = join(folder.path, 'late')
  await writeFile(path, makeEpub())
  const hasty = openUploadReader({ taskMs: 1 })
  await expect(checkEbook(hasty, path, 'x.epub')).rejects.toMatchObject({
    code: 'uploads.timed_out',
    status: 503,
    retryAfter: 2,
  })
  await hasty.close()
  // A long book: it is looked at once a second.
  await writeFile(path, makeBook(longPages))
  const frugal = openUploadReader({ cpuMs: 1 })
  await expect(readBookFile(frugal, path, 'x.epub')).rejects.toMatchObject({
    code: 'uploads.too_complex',
    status: 422,
  })
  await frugal.close()
})

const xrefTable = (offset: number, trailer: string, entries = 1) =>
  `xref\n0 ${entries}\n${'0000000000 65535 f \n'.repeat(entries)}trailer\n<< /Size 1 ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`
const pdf = (trailer: string, { body = '', entries = 1 } = {}) => {
  const before = `%PDF-1.7\n${body}`
  return Buffer.from(before + xrefTable(before.length, trailer, entries), 'latin1')
}
const encrypted = /is encrypted/

test('whether a PDF is encrypted is read from its index, not from its text', async () => {
  expect(await check(pdf(''), 'x.pdf')).toBe('')
  expect(await check(pdf('/Encrypt 5 0 R'), 'x.pdf')).toMatch(encrypted)
  expect(await check(pdf('/Encrypt 5 0 R', { entries: 20_000 }), 'x.pdf')).toMatch(encrypted)
  expect(await check(pdf('/#45ncrypt << /V 4 >>'), 'x.pdf')).toMatch(encrypted)
  expect(await check(pdf('', { body: '(how to use /Encrypt 5 0 R in a trailer)\n' }), 'x.pdf')).toBe('')
  // Made for the web: the section that names it comes first, and another one ends the file.
  const first = '%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Encrypt 5 0 R >>\n'
  const padding = `${'%'.repeat(200_000)}\n`
  const at = first.length + padding.length
  expect(await check(Buffer.from(first + padding + xrefTable(at, '/Prev 9')), 'x.pdf')).toMatch(encrypted)
  const stream = '7 0 obj\n<< /Type /XRef /Encrypt 5 0 R >>\nstream\n'
  const long = `%PDF-1.7\n${stream}${'x'.repeat(100_000)}\nendstream\nendobj\nstartxref\n9\n%%EOF`
  expect(await check(Buffer.from(long), 'x.pdf')).toMatch(encrypted)
})

test('a PDF that is cut off, damaged or leads in circles is reported, and read to its end', async () => {
  expect(await check(pdf('').subarray(0, -20), 'x.pdf')).toMatch(/cut off/)
  expect(await check(Buffer.from('%PDF-1.7\nstartxref\n99999999\n%%EOF'), 'x.pdf')).toMatch(
    /index is damaged/,
  )
  expect(await check(pdf('/Prev 9'), 'x.pdf')).toBe('')
  const sections = 'x'.repeat(50) + '1 0 obj << /Prev 59 >> stream'
  expect(await check(pdf(`/Prev ${'59 /Prev '.repeat(5_000)}59`, { body: sections }), 'x.pdf')).toBe('')
  const sample = await readFile(new URL(import.meta.resolve('#content/edition/sample.pdf')))
  expect(await check(sample, 'x.pdf')).toBe('')
  expect(await check(sample.subarray(0, sample.length / 2), 'x.pdf')).toMatch(/cut off/)
  const shifted = Buffer.concat([Buffer.from('some bytes before\n'), sample])
  expect(await check(shifted, 'x.pdf')).toBe('')
})

test('of a PDF of 500 MB a few kilobytes are read', async () => {
  const path = join(folder.path, 'large.pdf')
  const file = await open(path, 'w')
  const size = 500 * 1024 ** 2
  await file.write('%PDF-1.7\n', 0)
  await file.write(xrefTable(size, '/Encrypt 5 0 R'), size)
  await file.close()
  const frugal = openUploadReader({ threads: 1, memoryMb: 16 })
  const before = process.memoryUsage.rss()
  expect((await checkEbook(frugal, path, 'x.pdf')).findings.join(' ')).toMatch(encrypted)
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 ** 2)
  await frugal.close()
})

test('a MOBI that is cut off or protected is reported', async () => {
  const mobi = Buffer.alloc(200)
  mobi.write('BOOKMOBI', 60)
  mobi.writeUInt16BE(1, 76)
  mobi.writeUInt32BE(100, 78)
  expect(await check(mobi, 'x.mobi')).toMatch(/^MOBI is an old format[^.]*\.$/)
  expect(await check(mobi.subarray(0, 90), 'x.mobi')).toMatch(/cut off/)
  mobi.writeUInt16BE(2, 112)
  expect(await check(mobi, 'x.mobi')).toMatch(/copy-protected/)
})

// A hostile file on its way to the products: refused by a document that says what to do, while the shop goes on.

const fields = { name: 'A Book', price: 5, format: 'digital' }

test('a hostile EPUB is refused in plain words, the shop responds meanwhile, and the next book is accepted', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const add = async (content: Buffer) => {
    const upload_id = await upload(shop, admin, content, 'book.epub')
    return admin.call('POST', '/api/admin/products', { body: { ...fields, upload_id } })
  }
  const slow = makeEpub({ 'META-INF/container.xml': '<rootfile '.repeat(50_000) })
  const responses = await Promise.all([
    add(slow),
    ...Array.from({ length: 20 }, () => shop.call('GET', '/api/health')),
  ])
  expect(responses.map(({ status }) => status)).toEqual([201, ...Array<number>(20).fill(200)])
  expect(await responses[0].json()).toMatchObject({
    editions: [{ findings: [expect.stringContaining('not well-formed')] }],
  })

  const refused = await add(makeEpub({ 'O/b.opf': '<!DOCTYPE a [<!ENTITY b "c">]><package>&b;</package>' }))
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    code: 'uploads.too_complex',
    detail: expect.stringMatching(/DOCTYPE.*Please export the book again and upload the new file\.$/),
  })
  expect((await add(makeEpub())).status).toBe(201)
})

test('of many files at once those that find no place are asked to come back, and then are taken', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const book = makeEpub()
  const ids = await Promise.all(Array.from({ length: 24 }, () => upload(shop, admin, book, 'book.epub')))
  const add = async (upload_id: string) => {
    const response = await admin.call('POST', '/api/admin/products', { body: { ...fields, upload_id } })
    return { upload_id, status: response.status, retry: response.headers.get('retry-after') }
  }
  const responses = await Promise.all(ids.map(add))
  const busy = responses.filter(({ status }) => status === 503)
  expect(busy.length).toBeGreaterThan(0)
  expect(busy.every(({ retry }) => Number(retry) > 0)).toBe(true)
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(24 - busy.length)
  expect((await add(busy[0]!.upload_id)).status).toBe(201)
})
