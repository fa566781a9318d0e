import type { ComponentProps } from 'react'
import { Picture } from '../../../picture.tsx'
import { toast } from '../../../toasts.tsx'
import { FileDrop } from './file-drop.tsx'

type PictureDropProps = Pick<
  ComponentProps<typeof FileDrop>,
  'label' | 'hint' | 'onFile' | 'sending' | 'onCancel'
> & {
  picture: ComponentProps<typeof Picture>['picture'] | null
  alt: string
}

export function PictureDrop({ picture, alt, onFile, ...rest }: PictureDropProps) {
  return (
    <div className="flex flex-wrap items-center gap-5">
      {picture && (
        <Picture
          picture={picture}
          alt={alt}
          sizes="10rem"
          className="mx-auto h-44 w-auto max-w-40 rounded-sm object-contain shadow-md"
        />
      )}
      <div className="min-w-0 flex-1 basis-60">
        <FileDrop
          accept=".jpg,.jpeg,.png,.webp"
          file={undefined}
          onFile={(file) =>
            isPictureName(file.name)
              ? onFile(file)
              : toast({
                  title: 'Invalid File Type',
                  description: 'Please choose a JPEG, PNG or WebP picture.',
                  destructive: true,
                })
          }
          {...rest}
        />
      </div>
    </div>
  )
}

const isPictureName = (name: string) => /\.(jpe?g|png|webp)$/i.test(name)
