import type { FileFormat } from '#features/products/contract/file-formats.ts'
import { readChoice, readText } from '../../form.ts'
import { api, responseOf } from '../../api.ts'
import { downloadStarted, failure, notices } from '../../copy.ts'
import { save } from '../../save.ts'
import { toast } from '../../toasts.tsx'

const fileFormats = ['epub', 'pdf', 'mobi'] as const satisfies FileFormat[]

export async function download(form: FormData): Promise<void> {
  const id = readText(form, 'purchase_id')
  const file_format = readChoice(form, 'file_format', fileFormats)
  const product_id = readText(form, 'product_id') || undefined
  if (!form.get('has_file')) return toast(notices.noDownload)
  try {
    const json = { file_format, product_id }
    const { url } = await responseOf(api.purchases[':id'].download.$post({ param: { id }, json }))
    toast(downloadStarted(readText(form, 'name')))
    save(url)
  } catch (error) {
    toast(failure('Download Error', error))
  }
}
