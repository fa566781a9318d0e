import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import type { AdminProductsApi } from '#features/products/admin-routes.ts'
import { responseOf } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { Picture } from '../../../picture.tsx'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { TriangleAlert } from '../icons.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { FileDrop } from '../upload/file-drop.tsx'
import { useSendFile } from '../upload/send-file.ts'
import { adminClient } from '../admin-client.ts'
import { adminNotices } from '../notices.ts'

const api = adminClient<AdminProductsApi>()
const pictureFile = {
  label: 'Cover image',
  hint: 'Drop it here, or choose it: JPEG, PNG or WebP, 20 MB at most',
  accept: '.jpg,.jpeg,.png,.webp',
}
const isPictureName = (name: string) => /\.(jpe?g|png|webp)$/i.test(name)

export function Cover({ product: { id, name, cover, has_old_cover } }: { product: AdminProduct }) {
  const { revalidate } = useRevalidator()
  const { sending, send, cancel } = useSendFile()
  const [isBusy, setIsBusy] = useState(false)
  const [isAsking, setIsAsking] = useState(false)

  async function change(title: string, work: () => Promise<boolean>) {
    setIsBusy(true)
    try {
      if (!(await work())) return
      toast({ title, description: 'It shows on the page from now on.' })
      await revalidate()
    } catch (error) {
      toast(failure('Couldn’t save the change', error))
    } finally {
      setIsBusy(false)
      setIsAsking(false)
    }
  }
  const set = (file: File) =>
    change('Cover saved', async () => {
      const upload_id = await send(file)
      if (upload_id) await responseOf(api.products[':id'].cover.$put({ param: { id }, json: { upload_id } }))
      return upload_id !== undefined
    })
  const remove = () =>
    change('Cover removed', async () => {
      await responseOf(api.products[':id'].cover.$delete({ param: { id } }))
      return true
    })

  return (
    <Card
      title="Cover image"
      action={
        (cover || has_old_cover) && (
          <Button look="quiet" disabled={isBusy} onClick={() => setIsAsking(true)}>
            Remove
          </Button>
        )
      }
    >
      {has_old_cover && <OldCover />}
      <div className="flex flex-wrap items-center gap-5 p-5">
        {cover && (
          <Picture
            picture={cover}
            alt={`The cover of ${name}`}
            sizes="10rem"
            className="mx-auto h-44 w-auto max-w-40 rounded-sm object-contain shadow-md"
          />
        )}
        <div className="min-w-0 flex-1 basis-60">
          <FileDrop
            {...pictureFile}
            file={undefined}
            onFile={(file) => (isPictureName(file.name) ? void set(file) : toast(adminNotices.notAPicture))}
            sending={sending}
            onCancel={cancel}
          />
        </div>
      </div>
      {isAsking && (
        <Confirm
          title="Remove the cover?"
          action="Remove"
          isDanger
          isBusy={isBusy}
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        >
          The page then shows this product as it is drawn around the book’s cover.
        </Confirm>
      )}
    </Card>
  )
}

function OldCover() {
  return (
    <p role="note" className="flex gap-3 border-b border-line bg-gold/10 px-5 py-3 text-sm text-pretty">
      <TriangleAlert aria-hidden className="mt-px size-5 shrink-0 text-gold-text" />
      <span>
        The page does not show this product’s picture: the file that an earlier version has stored could not
        be read so far. The shop tries again every hour. Upload the picture again, or remove it.
      </span>
    </p>
  )
}
