// A client of listd that uses Debian's github.com/sourcegraph/jsonrpc2: stranger LISTD.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

type pipe struct {
	io.ReadCloser
	io.WriteCloser
}

func (p pipe) Close() error {
	p.WriteCloser.Close()
	return p.ReadCloser.Close()
}

type object = map[string]interface{}

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	daemon := exec.Command(os.Args[1])
	daemon.Stderr = os.Stderr
	in, err := daemon.StdinPipe()
	check(err)
	out, err := daemon.StdoutPipe()
	check(err)
	check(daemon.Start())

	changes := make(chan json.RawMessage, 8)
	handle := func(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) (interface{}, error) {
		if r.Method == "didChange" {
			changes <- *r.Params
		}
		return nil, nil
	}
	stream := jsonrpc2.NewBufferedStream(pipe{out, in}, jsonrpc2.VSCodeObjectCodec{})
	conn := jsonrpc2.NewConn(ctx, stream, jsonrpc2.HandlerWithError(handle))

	call := func(method string, params interface{}) object {
		var result object
		check(conn.Call(ctx, method, params, &result))
		return result
	}
	call("initialize", object{"capabilities": object{}})
	check(conn.Notify(ctx, "initialized", object{}))
	call("subscribe", object{"list": "fruit"})
	for _, items := range [][]string{{"apple", "banana"}, {"banana", "cherry"}} {
		call("applySnapshot", object{"list": "fruit", "items": items})
		var change struct{ Counts object }
		check(json.Unmarshal(<-changes, &change))
		rows, _ := json.Marshal(change.Counts["rows"])
		fmt.Println(string(rows))
	}
	err = conn.Call(ctx, "getSnapshot", object{"list": "nope"}, nil)
	refused, ok := err.(*jsonrpc2.Error)
	fmt.Println(ok, refused.Code, refused.Message)
	check(conn.Call(ctx, "shutdown", nil, nil))
	check(conn.Notify(ctx, "exit", nil))
	check(daemon.Wait())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
