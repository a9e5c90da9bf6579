<?php
/**
 * Sends the visits that wait.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * One process sends every ten seconds at most. When the service can't be reached, all wait, longer each time; when it takes visits again, what
 * is in the buffer is sent. Each visit has an id, so that one that is sent twice counts once.
 */
final class Ghostlight_Sender {

	const STATUS = 'ghostlight_status';
	const PAUSE  = 'ghostlight_pause';

	/** Seconds between two posts. Longer than one may take, so that no two processes send at the same time. */
	const EVERY     = 10;
	const TIMEOUT   = 5;
	const MAX_ROWS  = 500;
	const MAX_BYTES = 524288;
	/** Posts of one run of wp-cron. */
	const MAX_POSTS = 4;
	/** Seconds: the first wait after a failure, the longest one, and the one after a refusal that a person must end. */
	const FIRST_WAIT   = 60;
	const LONGEST_WAIT = 3600;
	const REFUSED_WAIT = 900;

	/**
	 * After a visit was added.
	 *
	 * @param bool $is_finished Whether the visitor has the whole answer: else nothing may be waited for.
	 * @return void
	 */
	public static function after_page( $is_finished ) {
		$until = self::paused_until();
		if ( $until > 0 ) {
			self::schedule( $until );
			return;
		}
		if ( ! $is_finished ) {
			self::hand_over();
			return;
		}
		if ( ! self::take_turn() ) {
			self::schedule( time() + 3 * self::EVERY );
			return;
		}
		if ( self::send_batch() >= self::MAX_ROWS ) {
			self::schedule( time() + self::EVERY );
		}
	}

	/**
	 * Run by wp-cron.
	 *
	 * @return void
	 */
	public static function send_all() {
		$until = self::paused_until();
		if ( $until > 0 ) {
			self::schedule( $until );
			return;
		}
		for ( $posts = 0; $posts < self::MAX_POSTS; $posts++ ) {
			if ( 0 === Ghostlight_Buffer::size() ) {
				return;
			}
			if ( 0 === $posts && ! self::take_turn() ) {
				break;
			}
			if ( 0 === self::send_batch() ) {
				return;
			}
			update_option( 'ghostlight_turn', (string) time(), false );
		}
		self::schedule( time() + self::EVERY );
	}

	/**
	 * Sends one visit and waits for what becomes of it; for the button of the settings page.
	 *
	 * @param array<string, mixed> $line As Ghostlight_Visit makes it.
	 * @return array{code: string, status: int, detail: string} "code" is "taken", or that of a problem.
	 */
	public static function send_test( array $line ) {
		$answer = self::post( wp_json_encode( $line ) . "\n" );
		$result = self::outcome( $answer );
		if ( 'taken' === $result['code'] ) {
			self::note_success( 1 );
			self::resume();
		} else {
			self::note_problem( $result );
		}
		return $result;
	}

	/**
	 * How it goes, for the settings page.
	 *
	 * @return array<string, mixed> "sent_at", "sent", "failures", "problem".
	 */
	public static function status() {
		$status = get_option( self::STATUS );
		return ( is_array( $status ) ? $status : array() ) + array(
			'sent_at'  => 0,
			'sent'     => 0,
			'failures' => 0,
			'problem'  => null,
		);
	}

	/**
	 * Until when nothing is sent, because the service could not be reached or refused.
	 *
	 * @return int Unix time; 0: it is not paused.
	 */
	public static function paused_until() {
		$until = (int) get_transient( self::PAUSE );
		return $until > time() ? $until : 0;
	}

	/**
	 * Ends the wait: new settings may have ended what was wrong, or a test visit has shown that nothing is.
	 *
	 * @return void
	 */
	public static function resume() {
		delete_transient( self::PAUSE );
		wp_unschedule_hook( 'ghostlight_send' );
		if ( Ghostlight_Buffer::size() > 0 ) {
			self::schedule( time() );
		}
	}

	/**
	 * What an answer means. Pure.
	 *
	 * @param array<string, mixed> $answer Of Ghostlight_Http.
	 * @return array{code: string, status: int, detail: string}
	 */
	public static function outcome( array $answer ) {
		$status = $answer['status'];
		$told   = json_decode( $answer['body'], true, 16 );
		$detail = is_array( $told ) && isset( $told['detail'] ) && is_string( $told['detail'] ) ? $told['detail'] : '';
		$code   = 'refused';
		if ( 0 === $status ) {
			$code   = 'unreachable';
			$detail = $answer['error'];
		} elseif ( $status >= 200 && $status < 300 ) {
			$code = 'taken';
			if ( ! is_array( $told ) || ! isset( $told['kept'] ) ) {
				// The service reports on each batch. This is something else, such as a log-in form of a proxy.
				$code = 'no_service';
			} elseif ( ! empty( $told['rejected'] ) ) {
				$code   = 'rejected';
				$detail = isset( $told['errors'][0]['message'] ) && is_string( $told['errors'][0]['message'] ) ? $told['errors'][0]['message'] : '';
			}
		} elseif ( $status >= 300 && $status < 400 ) {
			$code = 'redirect';
		} elseif ( 401 === $status ) {
			$code = 'key';
			// What the service says is for who writes a sender: where a key may be.
			$detail = '';
		} elseif ( 404 === $status || 405 === $status ) {
			$code = 'no_service';
		} elseif ( 408 === $status || 429 === $status || $status >= 500 ) {
			$code = 'busy';
		}
		return array(
			'code'   => $code,
			'status' => $status,
			'detail' => Ghostlight_Text::cut( $detail, 300 ),
		);
	}

	/**
	 * Whether a refusal concerns this very batch, which would be refused again.
	 *
	 * @param int $status Of the answer.
	 * @return bool
	 */
	private static function is_final( $status ) {
		return in_array( $status, array( 400, 413, 415, 422 ), true );
	}

	/**
	 * Sends the oldest visits.
	 *
	 * @return int How many left the buffer.
	 */
	private static function send_batch() {
		$lines = Ghostlight_Buffer::oldest( self::MAX_ROWS, self::MAX_BYTES );
		if ( array() === $lines ) {
			return 0;
		}
		$answer = self::post( implode( "\n", $lines ) . "\n" );
		$result = self::outcome( $answer );
		if ( in_array( $result['code'], array( 'taken', 'rejected' ), true ) ) {
			Ghostlight_Buffer::remove( array_keys( $lines ) );
			self::note_success( count( $lines ) );
			if ( 'rejected' === $result['code'] ) {
				self::note_problem( $result );
			}
			return count( $lines );
		}
		if ( self::is_final( $result['status'] ) ) {
			Ghostlight_Buffer::remove( array_keys( $lines ) );
			Ghostlight_Buffer::drop( count( $lines ) );
		}
		$failures = self::note_problem( $result );
		$wait     = in_array( $result['code'], array( 'unreachable', 'busy' ), true )
			? min( self::LONGEST_WAIT, self::FIRST_WAIT * ( 2 ** min( 6, $failures - 1 ) ) )
			: self::REFUSED_WAIT;
		if ( 1 === preg_match( '/^\d{1,5}$/D', $answer['retry_after'] ) ) {
			$wait = min( self::LONGEST_WAIT, max( $wait, (int) $answer['retry_after'] ) );
		}
		set_transient( self::PAUSE, time() + $wait, $wait );
		self::schedule( time() + $wait );
		return 0;
	}

	/**
	 * Posts lines to the service.
	 *
	 * @param string $body Lines.
	 * @return array<string, mixed>
	 */
	private static function post( $body ) {
		$settings = Ghostlight_Settings::get();
		$key      = Ghostlight_Settings::key();
		if ( '' === $key ) {
			return array(
				'status'      => 401,
				'body'        => '',
				'retry_after' => '',
				'error'       => '',
			);
		}
		$url = $settings->url . '/v1/logs/wordpress?attribution_id=' . rawurlencode( $settings->attribution_id );
		return Ghostlight_Http::post( $url, $key, $body, self::TIMEOUT );
	}

	/**
	 * Claims the next ten seconds. One statement, so that one of many processes gets them.
	 *
	 * @return bool
	 */
	private static function take_turn() {
		global $wpdb;
		$now = time();
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- The cache is cleared below. Times of ten digits compare as texts.
		$taken = $wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->options} SET option_value = %s WHERE option_name = 'ghostlight_turn' AND option_value <= %s", (string) $now, (string) ( $now - self::EVERY ) ) );
		wp_cache_delete( 'ghostlight_turn', 'options' );
		return 1 === $taken;
	}

	/**
	 * Has wp-cron send, unless it will anyway.
	 *
	 * @param int $at Unix time.
	 * @return bool Whether it was new.
	 */
	private static function schedule( $at ) {
		if ( wp_next_scheduled( 'ghostlight_send' ) ) {
			return false;
		}
		return true === wp_schedule_single_event( $at, 'ghostlight_send' );
	}

	/**
	 * Where the answer can't be ended first, wp-cron sends: it is started by a request that is not waited for.
	 *
	 * @return void
	 */
	private static function hand_over() {
		$is_automatic = ! ( defined( 'DISABLE_WP_CRON' ) && DISABLE_WP_CRON ) && ! ( defined( 'ALTERNATE_WP_CRON' ) && ALTERNATE_WP_CRON );
		if ( self::schedule( time() ) && $is_automatic ) {
			spawn_cron();
		}
	}

	/**
	 * Remembers that visits were taken.
	 *
	 * @param int $visits How many.
	 * @return void
	 */
	private static function note_success( $visits ) {
		$status             = self::status();
		$status['sent_at']  = time();
		$status['sent']     = $visits;
		$status['failures'] = 0;
		update_option( self::STATUS, $status, false );
	}

	/**
	 * Remembers what went wrong.
	 *
	 * @param array<string, mixed> $problem Of outcome().
	 * @return int How many times in a row.
	 */
	private static function note_problem( array $problem ) {
		$status = self::status();
		if ( 'rejected' !== $problem['code'] ) {
			++$status['failures'];
		}
		$status['problem'] = $problem + array( 'at' => time() );
		update_option( self::STATUS, $status, false );
		return $status['failures'];
	}
}
