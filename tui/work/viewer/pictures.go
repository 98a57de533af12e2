package viewer

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/picture"
)

// pictureKey identifies a drawing of a picture.
type pictureKey struct {
	data          session.Ref
	columns, rows int
	way           picture.Way
	dark, color   bool
	id            int // in kitty's protocol
}

// painting is a drawn picture.
type painting struct {
	rows   []string
	upload string // to be sent to the terminal once
	err    error
}

// pictures draws the pictures among the files of a program.
type pictures struct {
	*reading
	painted  frame.Latest[pictureKey, painting]
	numbered pictureKey // the last picture with an id of kitty's protocol
	uploaded int        // the id that was sent to the terminal last
}

// shownMsg carries a picture to show in place of the screen, or the result of having shown it.
type shownMsg struct {
	shown *picture.Shown
	err   error
}

// isPicture reports whether a file can be shown as one.
func isPicture(f session.Output) bool {
	format, _, _ := strings.Cut(f.Kind, " ")
	return f.Problem == "" && (format == "PNG" || format == "JPEG" || format == "GIF")
}

// shownPicture returns the index of the file whose picture is shown; -1 for none.
func (m *reading) shownPicture() int {
	files := m.leftFiles()
	if m.State.Plan.Sees(m.Attempt()) != session.SeeTests || m.review.picture < 0 {
		return -1
	}
	if n := m.review.picture - 1; n >= 0 && n < len(files) {
		return n
	}
	return slices.IndexFunc(files, isPicture)
}

// noPicture is why there is no picture to show.
func (m *reading) noPicture() string {
	if m.State.Plan.Sees(m.Attempt()) != session.SeeTests || !slices.ContainsFunc(m.leftFiles(), isPicture) {
		return "the program left no picture"
	}
	return ""
}

// pictureSize returns the size of a picture in cells. In the list it takes only a part of the screen,
// so that the tests stay in view.
func (m *pictures) pictureSize(f session.Output) (columns, rows int) {
	body := m.Size.Body()
	room := frame.Size{Width: body.Width - 8, Height: min(14, body.Height-6)}
	if m.review.full {
		room = frame.Size{Width: body.Width - 2, Height: body.Height - 1}
	}
	width, height := 640, 480
	_, size, _ := strings.Cut(f.Kind, " ")
	fmt.Sscanf(size, "%d×%d", &width, &height)
	if !m.Opts.Pictures.Placeholders() || !m.Theme.Color {
		width, height = 4*width, 4*height // cells show less than pixels do: larger is clearer
	}
	return picture.Cells(width, height, room.Width, room.Height)
}

// wantedPicture returns the drawing that the screen needs; ok is false if it needs none.
func (m *pictures) wantedPicture() (key pictureKey, ok bool) {
	at := m.shownPicture()
	if at < 0 || m.review.tab != TabTests && !m.review.full {
		return pictureKey{}, false
	}
	f := m.leftFiles()[at]
	key = pictureKey{data: f.Data, way: m.Opts.Pictures, dark: m.Theme.Dark, color: m.Theme.Color}
	key.columns, key.rows = m.pictureSize(f)
	if !key.way.Placeholders() || !key.color { // colours carry the ids of kitty's placeholders
		key.way = picture.Blocks
	}
	return key, true
}

// paint starts drawing the picture that is shown.
func (m *pictures) paint() tea.Cmd {
	key, ok := m.wantedPicture()
	if !ok {
		return nil
	}
	if key.way.Placeholders() {
		if same := key; m.numbered.id > 0 {
			if same.id = m.numbered.id; same != m.numbered {
				m.numbered.id++
			}
		}
		if m.numbered.id < picture.FirstID || m.numbered.id > picture.LastID {
			m.numbered.id = picture.FirstID
		}
		key.id = m.numbered.id
		m.numbered = key
	}
	source, files, at := m.source, m.leftFiles(), m.shownPicture()
	return m.painted.Ask(key, func(ctx context.Context) painting {
		data, err := source.Output(files[at])
		if err != nil {
			return painting{err: err}
		}
		img, err := picture.Decode(data)
		if err != nil || ctx.Err() != nil {
			return painting{err: err}
		}
		return draw(img, key)
	})
}

// draw draws a picture.
func draw(img image.Image, key pictureKey) painting {
	switch {
	case key.way.Placeholders():
		upload, err := picture.KittyUpload(img, key.way, key.id, key.columns, key.rows)
		return painting{picture.KittyRows(key.id, key.columns, key.rows), upload, err}
	case !key.color:
		return painting{rows: picture.Greys(img, key.columns, key.rows, key.dark)}
	}
	return painting{rows: picture.HalfBlocks(img, key.columns, key.rows)}
}

// upload sends what the terminal needs to show the picture that was just drawn.
func (m *pictures) upload() tea.Cmd {
	key, made, ok := m.painted.Last()
	if !ok || made.upload == "" || key.id == m.uploaded {
		return nil
	}
	before := ""
	if m.uploaded > 0 {
		before = picture.KittyForget(key.way, m.uploaded)
	}
	m.uploaded = key.id
	return tea.Raw(before + made.upload)
}

// picture draws the picture that is shown.
func (m *pictures) picture() []string {
	wanted, ok := m.wantedPicture()
	if !ok {
		return nil
	}
	key, made, has := m.painted.Last()
	key.id = 0
	rows := make([]string, wanted.rows)
	switch {
	case !has || key != wanted:
		rows[0] = m.Theme.Dim.Render("… the picture is being drawn")
	case made.err != nil:
		return strings.Split(m.Theme.Warn.Render(frame.Wrap("– this picture cannot be shown: "+frame.Plain(made.err.Error()), m.Size.Width-12)), "\n")
	default:
		copy(rows, made.rows)
	}
	return rows
}

// inlinePicture draws a file's picture in the list of files.
func (m *pictures) inlinePicture(n int) []string {
	if n != m.shownPicture() || m.review.full {
		return nil
	}
	rows := m.picture()
	for i, r := range rows {
		rows[i] = "       " + r
	}
	return rows
}

// fullPicture returns a picture that fills the page, under a line that names it.
func (m *pictures) fullPicture(body frame.Size) string {
	at := m.shownPicture()
	if at < 0 {
		return ""
	}
	f := m.leftFiles()[at]
	rows := m.picture()
	for i, r := range rows {
		rows[i] = " " + r
	}
	head := frame.Plain(f.Name) + m.Theme.Dim.Render("  "+frame.Plain(f.Kind))
	return frame.Fit(" "+head, frame.Size{Width: body.Width, Height: 1})[0] + "\n" + strings.Join(rows, "\n")
}
