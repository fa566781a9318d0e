// The forms a cover comes in. Apart from the reading of uploads, which loads parsers.
export const pictureExtensions = ['jpg', 'png', 'webp'] as const
export type PictureExtension = (typeof pictureExtensions)[number]
