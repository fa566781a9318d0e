import { useState } from 'react'
import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import type { AdminProductsApi } from '#features/products/admin-routes.ts'
import { responseOf } from '../../../api.ts'
import { toast } from '../../../toasts.tsx'
import { Field, TextField } from '../../../components/field.tsx'
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
  const [changes, setChanges] = useState('')

  async function add(onAdded: () => unknown): Promise<void> {
    if (!file || !product) return
    await upload(file, async (upload_id) => {
      const json = { upload_id, changes, ...(title.trim() && { title }) }
      const answer = api.products[':id'].editions.$post({ param: { id: product.id }, json })
      const changed = await responseOf(answer)
      toast(product.editions.length > 0 ? newEdition : fileAdded(product, changed))
      notifyFindings(changed.editions[0]?.findings)
      setTitle('')
      setChanges('')
      markSaved()
      await onAdded()
    })
  }
  function changeTitle(changed: string) {
    setTitle(changed)
    markChanged()
  }
  function changeChanges(changed: string) {
    setChanges(changed)
    markChanged()
  }
  const isBundle = product?.format === 'bundle'
  const replaces = product !== undefined && product.editions.length > 0
  const words = { title, changeTitle, changes, changeChanges }
  return { isBundle, replaces, isChosen: file !== undefined, isBusy, drop, ...words, add }
}

export function EditionFields({ edition }: { edition: ReturnType<typeof useNewEdition> }) {
  const { isBundle, replaces, isBusy, drop, title, changeTitle, changes, changeChanges } = edition
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
      {replaces && (
        <TextField
          label="What changed (optional)"
          hint="Its owners read it beside the edition, and in the email if you tell them."
          required={false}
          rows={3}
          maxLength={1000}
          disabled={isBusy}
          value={changes}
          onChange={({ target }) => changeChanges(target.value)}
        />
      )}
      <FileDrop {...ebookFile} {...drop} />
    </>
  )
}
