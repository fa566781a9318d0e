import { useState } from 'react'
import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import type { AdminProductsApi } from '#features/products/admin-routes.ts'
import { responseOf } from '../../../api.ts'
import { toast } from '../../../toasts.tsx'
import { Field } from '../../../components/field.tsx'
import { ebookFile, FileDrop } from './file-drop.tsx'
import { notifyFindings, useUpload } from './use-upload.ts'
import { adminClient } from '../admin-client.ts'

const api = adminClient<AdminProductsApi>()

const newEdition = {
  title: 'New edition',
  description: 'Everybody who owns the book gets it from now on.',
}

function fileAdded(before: AdminProduct, after: AdminProduct) {
  const isNowForSale = after.is_for_sale && !before.is_for_sale
  const description = isNowForSale ? 'It is for sale from now on.' : 'Its buyers get it from now on.'
  return { title: 'File added', description }
}

export function useNewEdition(product: AdminProduct | undefined) {
  const { file, isBusy, upload, markChanged, markSaved, drop } = useUpload()
  const [title, setTitle] = useState('')

  async function add(onAdded: () => unknown): Promise<void> {
    if (!file || !product) return
    await upload(file, async (upload_id) => {
      const json = { upload_id, ...(title.trim() && { title }) }
      const answer = api.products[':id'].editions.$post({ param: { id: product.id }, json })
      const changed = await responseOf(answer)
      toast(product.editions.length > 0 ? newEdition : fileAdded(product, changed))
      notifyFindings(changed.editions[0]?.findings)
      setTitle('')
      markSaved()
      await onAdded()
    })
  }
  function changeTitle(changed: string) {
    setTitle(changed)
    markChanged()
  }
  const isBundle = product?.format === 'bundle'
  return { isBundle, isChosen: file !== undefined, isBusy, drop, title, changeTitle, add }
}

export function EditionFields({ edition }: { edition: ReturnType<typeof useNewEdition> }) {
  const { isBundle, isBusy, drop, title, changeTitle } = edition
  return (
    <>
      {isBundle && (
        <Field
          label="Title of the file"
          hint="A bundle gives the files of its parts, and on top of them its own: its bonus, say. Without a title it is called as the file that it replaces, or else as the bundle."
          required={false}
          maxLength={200}
          disabled={isBusy}
          value={title}
          onChange={({ target }) => changeTitle(target.value)}
        />
      )}
      <FileDrop {...ebookFile} {...drop} />
    </>
  )
}
