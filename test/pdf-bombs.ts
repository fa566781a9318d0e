// Small PDFs that need far more memory than a book: streams of spaces, which Flate packs to a thousandth.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createDeflate, deflateSync } from 'node:zlib'

const spaces = Buffer.alloc(1_000_000, ' ')

async function packSpaces(megabytes: number): Promise<Buffer> {
  function* content() {
    for (let n = 0; n < megabytes; n += 1) yield spaces
  }
  return await buffer(Readable.from(content()).pipe(createDeflate({ level: 9 })))
}

/** Objects are numbered from 1: the catalogue, the pages, a page, and the description in XML. */
function makePdf(filters: string, description: Buffer): Buffer {
  const heads = [
    '/Type /Catalog /Pages 2 0 R /Metadata 4 0 R',
    '/Type /Pages /Count 1 /Kids [3 0 R]',
    '/Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]',
    `/Type /Metadata /Subtype /XML /Filter ${filters} /Length ${description.length}`,
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  let rows = '0000000000 65535 f \n'
  for (const [at, head] of heads.entries()) {
    rows += `${String(length()).padStart(10, '0')} 00000 n \n`
    parts.push(Buffer.from(`${at + 1} 0 obj\n<< ${head} >>\n`))
    if (at === heads.length - 1)
      parts.push(Buffer.from('stream\n'), description, Buffer.from('\nendstream\n'))
    parts.push(Buffer.from('endobj\n'))
  }
  const end = `xref\n0 5\n${rows}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${length()}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}

/** 600 kB, whose description has 600 MB. */
export async function makePdfBomb(): Promise<Buffer> {
  return makePdf('/FlateDecode', await packSpaces(600))
}

/** 3 kB, whose description is packed twice and has 1,500 MB. */
export async function makeNestedPdfBomb(): Promise<Buffer> {
  return makePdf('[/FlateDecode /FlateDecode]', deflateSync(await packSpaces(1_500), { level: 9 }))
}
