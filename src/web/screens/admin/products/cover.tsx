import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import type { AdminProductsApi } from '#features/products/admin-routes.ts'
import { responseOf } from '../../../api.ts'
import { Picture } from '../../../picture.tsx'
import { toast } from '../../../toasts.tsx'
import { Card } from '../../../components/card.tsx'
import { TriangleAlert } from '../icons.tsx'
import { FileDrop } from '../upload/file-drop.tsx'
import { useSendFile } from '../upload/send-file.ts'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'
import { useAdminCall } from '../use-admin-call.ts'
import { adminNotices } from '../notices.ts'

const api = adminClient<AdminProductsApi>()
const pictureFile = {
  label: 'Cover image',
  hint: 'Drop it here, or choose it: JPEG, PNG or WebP, 20 MB at most',
  accept: '.jpg,.jpeg,.png,.webp',
}
const isPictureName = (name: string) => /\.(jpe?g|png|webp)$/i.test(name)

export function Cover({ product: { id, name, cover, has_old_cover } }: { product: AdminProduct }) {
  const { sending, send, cancel } = useSendFile()
  const [isBusy, run] = useAdminCall()
  const param = { id }
  const failed = 'Couldn’t save the change'
  const description = 'It shows on the page from now on.'
  async function upload(file: File) {
    const upload_id = await send(file)
    return upload_id && responseOf(api.products[':id'].cover.$put({ param, json: { upload_id } }))
  }
  function choose(file: File) {
    if (!isPictureName(file.name)) return toast(adminNotices.notAPicture)
    const done = (saved: unknown) => (saved ? { title: 'Cover saved', description } : undefined)
    void run(() => upload(file), { done, failed })
  }
  return (
    <Card
      title="Cover image"
      action={
        (cover || has_old_cover) && (
          <CallButton
            look="quiet"
            label="Remove"
            disabled={isBusy}
            question={{ title: 'Remove the cover?', action: 'Remove', isDanger: true }}
            call={() => api.products[':id'].cover.$delete({ param })}
            done={{ title: 'Cover removed', description }}
            failed={failed}
          >
            The page then shows this product as it is drawn around the book’s cover.
          </CallButton>
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
          <FileDrop {...pictureFile} file={undefined} onFile={choose} sending={sending} onCancel={cancel} />
        </div>
      </div>
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
