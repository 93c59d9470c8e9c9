package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
	"github.com/plumbline-dev/plumbline/pipeline/telemetry"
)

// service is a consumer with everything that it has open. It is used by one goroutine; only state is shared.
type service struct {
	config  Config
	log     *slog.Logger
	metrics *metrics
	state   state

	server  *jet.Embedded // nil when the server is elsewhere
	nc      *nats.Conn
	js      jetstream.JetStream
	layout  jet.Layout
	sink    *jet.Sink
	follow  pipeline.Follower // nil: nobody traces
	members *jet.Members
}

// serve runs the consumer until ctx ends, or the demo until it is over. What is in hand is finished first, for as long
// as the drain timeout allows.
func serve(ctx context.Context, c Config, stdout, stderr io.Writer) error {
	s := &service{config: c, log: newLog(c, stderr, logLevel(c))}
	s.config.Embedded.Logger = newLog(c, stderr, slog.LevelWarn)
	s.metrics = newMetrics(s.log, &s.state, c)
	s.state.judges(c.Rules)
	s.state.starting("connecting to NATS")
	defer s.close()
	defer c.limitMemory()()
	hangUp, err := s.listen(ctx)
	if err != nil {
		return err
	}
	defer hangUp()
	open := s.open
	if c.ProvisionOnly {
		open = s.provision
	}
	switch err := open(ctx); {
	case err != nil && ctx.Err() != nil:
		s.log.Info("stopped before it was ready", "waited_for", err)
		return nil
	case err != nil || c.ProvisionOnly:
		return err
	}
	stop, err := startParts(ctx,
		part{c.Service, s.serveOnNATS},
		part{c.OTelEndpoint != "" || telemetry.Wanted(), s.sendTelemetry},
		part{c.OTLP != "", s.takeTraces})
	if err != nil {
		return err
	}
	defer stop()
	if c.Demo != nil {
		return s.demo(ctx, stdout, stderr)
	}
	s.log.Info("ready", "server", s.url(), "events", c.Subjects().AllEvents(), "verdicts", c.Subjects().AllAudits(),
		"partitions", s.layout.Partitions, "ruleset", c.Rules.Base().Ruleset(), "policy", c.Rules.Base().Digest())
	return s.work(ctx)
}

// logLevel leaves out of the demo what is not out of the ordinary: the verdicts are what there is to see.
func logLevel(c Config) slog.Level {
	if c.Demo != nil {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

func newLog(c Config, stderr io.Writer, level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if c.LogJSON {
		return slog.New(slog.NewJSONHandler(stderr, options))
	}
	return slog.New(slog.NewTextHandler(stderr, options))
}

// open connects, looks at the streams and opens what is read and written.
func (s *service) open(ctx context.Context) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	s.state.starting("looking at the streams")
	if err := s.patiently(ctx, s.look); err != nil {
		return err
	}
	var err error
	if s.sink, err = jet.NewSink(s.nc, jet.SinkConfig{Subjects: s.layout.Subjects}); err != nil {
		return err
	}
	s.state.started(s.nc, s.layout.Partitions)
	return nil
}

// look finds the streams and the bucket of members.
func (s *service) look(ctx context.Context) (err error) {
	if s.layout, err = s.streams(ctx); err != nil {
		return err
	}
	s.members, err = jet.Join(ctx, s.js, jet.MembersConfig{Partitions: s.layout.Partitions, OnHealth: s.state.beat})
	return err
}

// patiently tries again what failed for a reason that passes by itself, and says so.
func (s *service) patiently(ctx context.Context, try func(context.Context) error) error {
	pace := backoff.WithContext(backoff.NewExponentialBackOff(
		backoff.WithMaxInterval(5*time.Second), backoff.WithMaxElapsedTime(0)), ctx)
	return backoff.RetryNotify(func() error {
		err := try(ctx)
		if err != nil && !jet.MayPass(err) {
			return backoff.Permanent(err)
		}
		return err
	}, pace, func(err error, after time.Duration) {
		s.state.starting(err.Error())
		s.log.Warn("waiting for the streams", "error", err, "after", after)
	})
}

// provision makes the streams that are missing, and looks at all of them.
func (s *service) provision(ctx context.Context) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	err := s.patiently(ctx, func(ctx context.Context) (err error) {
		s.layout, err = s.streams(ctx)
		return err
	})
	if err == nil {
		s.log.Info("the streams are there", "partitions", s.layout.Partitions)
	}
	return err
}

// connect reaches the server elsewhere, or starts one.
func (s *service) connect(ctx context.Context) (err error) {
	c := s.config
	c.NATS.Logger = s.log
	if len(c.NATS.URLs) > 0 {
		s.nc, err = jet.Connect(c.NATS)
	} else {
		s.nc, err = s.embed(c)
	}
	if err != nil {
		return err
	}
	if s.js, err = jetstream.New(s.nc); err != nil {
		return err
	}
	return s.await(ctx)
}

func (s *service) embed(c Config) (*nats.Conn, error) {
	var err error
	if s.server, err = jet.StartEmbedded(c.Embedded); err != nil {
		return nil, err
	}
	return s.server.Connect(c.NATS)
}

// sayAgain is how often an unreachable server is complained of.
const sayAgain = 10 * time.Second

// await waits for the server, as long as it takes: a consumer may well start before it. It says what it waits for.
func (s *service) await(ctx context.Context) error {
	for {
		bounded, cancel := context.WithTimeout(ctx, sayAgain)
		err := jet.WaitReady(bounded, s.nc)
		cancel()
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		s.state.starting(err.Error())
		s.log.Warn("waiting for NATS", "error", err)
	}
}

// streams makes the streams that are missing, when it may, and refuses those that would lose something.
func (s *service) streams(ctx context.Context) (jet.Layout, error) {
	if s.config.Provision {
		made, err := jet.Provision(ctx, s.js, s.config.Streams)
		if err != nil {
			return jet.Layout{}, err
		}
		if len(made) > 0 {
			s.log.Info("made streams", "streams", made)
		}
	}
	layout, err := jet.Check(ctx, s.js, s.config.Streams.Prefix)
	if err != nil {
		return layout, err
	}
	return layout, layout.Expect(s.config.Partitions)
}

// work works on the partitions that fall to this consumer until ctx ends or one of them cannot be worked on, and then
// finishes what is in hand. Every message that is not finished stays unacknowledged and is handed out again, here or
// elsewhere.
func (s *service) work(ctx context.Context) error {
	member, err := pipeline.NewMember(pipeline.MemberConfig{
		Worker: pipeline.Config{
			Rules: s.config.Rules, Subjects: s.config.Subjects(), Grace: s.config.Grace,
			CacheBytes: s.config.CacheBytes, InFlightBytes: inFlightBytes / 2 / s.layout.Partitions, Observer: s.metrics, Follower: s.follow,
		},
		Placement: placement{s.members, &s.state}, Open: s.partition, Sink: s.sink, Drain: s.config.DrainTimeout,
	})
	if err != nil {
		return err
	}
	stopping := context.AfterFunc(ctx, func() { s.state.starting("stopping") })
	defer stopping()
	defer s.followPolicy(ctx, member)()
	err = member.Run(ctx)
	if errors.Is(err, pipeline.ErrUnfinished) {
		s.log.Warn("stopped in the middle: what is not finished is handed out again at the next start",
			"drain_timeout", s.config.DrainTimeout)
		err = nil
	}
	s.leave()
	s.sayWhatIsLeft()
	return err
}

// inFlightBytes is how many bytes of messages and verdicts may be in hand at once beside the cache: half of them wait to be
// taken, half are worked on. It is divided over all partitions, since all of them may fall to one consumer.
const inFlightBytes = 64 << 20

// partition opens a partition that falls to this consumer. While it is open, health and metrics tell of it.
func (s *service) partition(ctx context.Context, partition int) (pipeline.Partition, error) {
	source, err := jet.OpenSource(ctx, s.js, jet.SourceConfig{
		Subjects: s.layout.Subjects, Partition: partition, NoMisfits: partition > 0,
		PullBytes: inFlightBytes / 4 / s.layout.Partitions, // twice that can wait
	})
	if err != nil {
		return nil, err
	}
	s.log.Info("took a partition", "partition", partition)
	s.state.opened(partition, source)
	return &openPartition{Source: source, service: s, number: partition}, nil
}

// openPartition is a partition that this consumer works on.
type openPartition struct {
	*jet.Source
	service *service
	number  int
}

// Close gives the partition up.
func (p *openPartition) Close(ctx context.Context) error {
	p.service.state.closed(p.number)
	p.service.log.Info("gave a partition up", "partition", p.number)
	return p.Source.Close(ctx)
}

// leave tells the other members that this one is gone.
func (s *service) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := s.members.Leave(ctx); err != nil {
		s.log.Warn("the others learn a few seconds later that this one is gone", "error", err)
	}
}

// sayWhatIsLeft asks the server what was handed out and not acknowledged.
func (s *service) sayWhatIsLeft() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	taken, waiting, err := s.left(ctx)
	if err != nil {
		s.log.Warn("stopped; the server does not say what is left", "error", err)
		return
	}
	s.log.Info("stopped", "messages_not_finished", taken, "messages_not_taken", waiting)
}

func (s *service) left(ctx context.Context) (taken int, waiting uint64, err error) {
	if err := s.nc.FlushWithContext(ctx); err != nil { // the last acknowledgements are on their way
		return 0, 0, err
	}
	stream, err := s.js.Stream(ctx, jet.EventsStream)
	if err != nil {
		return 0, 0, err
	}
	list := stream.ListConsumers(ctx)
	for info := range list.Info() {
		if info.Config.Durable == "" {
			continue // a reader of the past, which the server forgets by itself
		}
		taken += info.NumAckPending
		waiting += info.NumPending
	}
	return taken, waiting, list.Err()
}

// url is where producers publish.
func (s *service) url() string {
	if s.server != nil {
		return s.server.URL()
	}
	return s.nc.ConnectedUrlRedacted()
}

// close closes what is open, the other way round than it was opened.
func (s *service) close() {
	if s.sink != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if err := s.sink.Close(ctx); err != nil {
			s.log.Warn("stopped with verdicts on their way: they are made again at the next start", "error", err)
		}
	}
	if s.nc != nil {
		s.nc.Close()
	}
	if s.server != nil {
		s.server.Close()
	}
}
