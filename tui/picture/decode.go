package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // decodes the first frame of an animation
	_ "image/jpeg" // decoders
	_ "image/png"

	"golang.org/x/image/draw"
)

// Pictures beyond these limits are not decoded.
const (
	MaxBytes  = 4 << 20
	MaxPixels = 40_000_000
)

// Decode reads a PNG, JPEG or GIF. It never panics, whatever data is.
func Decode(data []byte) (img image.Image, err error) {
	defer func() {
		if r := recover(); r != nil {
			img, err = nil, fmt.Errorf("it is damaged: %v", r)
		}
	}()
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("it is %d bytes long; the limit is %d", len(data), MaxBytes)
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if c.Width <= 0 || c.Height <= 0 {
		return nil, errors.New("it has no pixels")
	}
	if c.Width > MaxPixels/c.Height {
		return nil, fmt.Errorf("it has %d×%d pixels; the limit is %d million", c.Width, c.Height, MaxPixels/1_000_000)
	}
	img, _, err = image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if b := img.Bounds(); b.Dx() <= 0 || b.Dy() <= 0 || b.Dx() > MaxPixels/b.Dy() {
		return nil, errors.New("its size differs from its header")
	}
	return img, nil
}

// Cells returns the size in columns and rows of a picture in the available space, as large as
// possible but not larger than its pixels: a cell is about eight pixels wide, and twice as high
// as wide.
func Cells(width, height, columns, rows int) (c, r int) {
	width, height = max(1, width), max(1, height)
	columns, rows = max(1, min(columns, (width+7)/8)), max(1, rows)
	c = columns
	r = (c*height + width) / (2 * width) // rounded
	if r > rows {
		r = rows
		c = min(columns, (2*r*width+height/2)/height)
	}
	return max(1, c), max(1, r)
}

// scaled resizes a picture, on a white background where it is transparent.
func scaled(img image.Image, width, height int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.BiLinear.Scale(out, out.Bounds(), img, img.Bounds(), draw.Over, nil)
	return out
}
