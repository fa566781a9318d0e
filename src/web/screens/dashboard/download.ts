// From the button to the file on the reader's disk.
import type { FileFormat } from '#features/products/contract/file-formats.ts'
import { api } from '../../api.ts'
import { downloadStarted, failure, notices } from '../../copy.ts'
import { save } from '../../save.ts'
import { toast } from '../../toasts.tsx'

export async function download(form: FormData): Promise<void> {
  const id = form.get('purchase_id') as string
  const file_format = (form.get('file_format') as FileFormat | null) ?? undefined
  const product_id = (form.get('product_id') as string | null) ?? undefined
  if (!form.get('has_file')) return toast(notices.noDownload)
  try {
    const response = await api.purchases[':id'].download.$post({
      param: { id },
      json: { file_format, product_id },
    })
    const { url } = (await response.json()) as { url: string }
    toast(downloadStarted(form.get('name') as string))
    save(url)
  } catch (error) {
    toast(failure('Download Error', error))
  }
}
